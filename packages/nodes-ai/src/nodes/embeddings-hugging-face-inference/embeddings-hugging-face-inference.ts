import { text, textParameter } from '@sluice/nodes-base/node-tools';
import { huggingFaceModel } from '../../adapter/hugging-face-model.ts';
import { defineEmbedding } from '../../shared/define-embedding.ts';

/** Maximum number of texts in a request to a Hugging Face server. */
const batchSize = 32;

/** https://huggingface.co/docs/inference-providers/tasks/feature-extraction */
export const embeddingsHuggingFaceInference = defineEmbedding({
  name: 'embeddings-hugging-face-inference',
  service: 'Hugging Face Inference',
  credential: 'huggingFaceApi',
  model: { name: 'modelName', fallback: 'sentence-transformers/distilbert-base-nli-mean-tokens' },
  options: [
    text('endpointUrl', 'Custom Inference Endpoint', 'Address at huggingface.co for the requests; empty: that of the model'),
  ],
  open: async ({ context, itemIndex, modelId, provider: { fetch } }) => {
    const own = textParameter(context, 'options.endpointUrl', itemIndex).trim();
    const path = modelId.split('/').map(encodeURIComponent).join('/');
    const url = own || `https://router.huggingface.co/hf-inference/models/${path}/pipeline/feature-extraction`;
    return huggingFaceModel({ modelId, url, fetch });
  },
  settings: () => ({ batchSize }),
});
