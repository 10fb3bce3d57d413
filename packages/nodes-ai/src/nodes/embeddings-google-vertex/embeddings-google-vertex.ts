import { vertexEmbedding } from '../../adapter/vertex-embedding.ts';
import { defineEmbedding } from '../../shared/define-embedding.ts';
import { inGoogleProject, vertexAddress, vertexCredential, vertexModels } from '../../shared/google-vertex.ts';

/** https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/text-embeddings-api */
export const embeddingsGoogleVertex = inGoogleProject(
  defineEmbedding({
    name: 'embeddings-google-vertex',
    service: 'Google Vertex',
    credential: vertexCredential,
    model: { name: 'modelName', fallback: 'text-embedding-005' },
    list: vertexModels('embedding'),
    open: async ({ context, itemIndex, modelId, data, provider: { fetch } }) =>
      vertexEmbedding({ modelId, address: vertexAddress(context, itemIndex, data), fetch }),
  }),
);
