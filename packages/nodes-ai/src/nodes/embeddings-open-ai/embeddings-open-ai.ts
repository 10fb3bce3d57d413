import { text, textParameter } from '@sluice/nodes-base/node-tools';
import { defineEmbedding, embeddingOptions, openAiEmbeddingSettings } from '../../shared/define-embedding.ts';
import { baseUrl } from '../../shared/model-list.ts';

const publicAddress = 'https://api.openai.com/v1';
const { dimensions, batchSize, stripNewLines, timeout } = embeddingOptions;

/** https://platform.openai.com/docs/api-reference/embeddings */
export const embeddingsOpenAi = defineEmbedding({
  name: 'embeddings-open-ai',
  service: 'OpenAI',
  version: [1, 1.1, 1.2],
  credential: 'openAiApi',
  // The default of version 1 stays: vectors that its workflows have stored are of the older model.
  model: { fallback: (version) => (version < 1.1 ? 'text-embedding-ada-002' : 'text-embedding-3-small') },
  options: [
    dimensions,
    text('baseURL', 'Base URL', 'Address of the API, instead of that of the credential'),
    batchSize,
    stripNewLines,
    timeout,
  ],
  list: {
    url: (data) => `${baseUrl(data, 'url', publicAddress)}/models`,
    option: ({ id }) => (typeof id === 'string' && id.includes('embed') ? { name: id, value: id } : undefined),
  },
  open: async ({ context, itemIndex, modelId, data, provider }) => {
    const { createOpenAI } = await import('@ai-sdk/openai');
    const baseURL = textParameter(context, 'options.baseURL', itemIndex) || baseUrl(data, 'url', publicAddress);
    return createOpenAI({ ...provider, baseURL }).embedding(modelId);
  },
  settings: openAiEmbeddingSettings,
});
