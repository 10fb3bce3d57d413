import { booleanParameter } from '@sluice/nodes-base/node-tools';
import { defineEmbedding, embeddingOptions } from '../../shared/define-embedding.ts';

const { batchSize, stripNewLines } = embeddingOptions;

/** https://docs.mistral.ai/api/#tag/embeddings */
export const embeddingsMistralCloud = defineEmbedding({
  name: 'embeddings-mistral-cloud',
  service: 'Mistral Cloud',
  credential: 'mistralCloudApi',
  model: { fallback: 'mistral-embed' },
  options: [batchSize, stripNewLines],
  list: {
    url: () => 'https://api.mistral.ai/v1/models',
    option: ({ id }) => (typeof id === 'string' && id.includes('embed') ? { name: id, value: id } : undefined),
  },
  open: async ({ modelId, provider }) => {
    const { createMistral } = await import('@ai-sdk/mistral');
    return createMistral(provider).embedding(modelId);
  },
  settings: ({ context, itemIndex }) => ({
    stripNewLines: booleanParameter(context, 'options.stripNewLines', itemIndex, true),
  }),
});
