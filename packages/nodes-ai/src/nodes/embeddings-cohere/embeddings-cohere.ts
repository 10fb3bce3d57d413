import { defineEmbedding } from '../../shared/define-embedding.ts';

/** Maximum number of texts in a Cohere request. */
const batchSize = 96;

/** https://docs.cohere.com/docs/compatibility-api */
export const embeddingsCohere = defineEmbedding({
  name: 'embeddings-cohere',
  service: 'Cohere',
  credential: 'cohereApi',
  model: { name: 'modelName', fallback: 'embed-english-v3.0' },
  list: {
    url: () => 'https://api.cohere.com/v1/models?page_size=100&endpoint=embed',
    member: 'models',
    option: ({ name }) => (typeof name === 'string' ? { name, value: name } : undefined),
  },
  open: async ({ modelId, provider }) => {
    const { createOpenAI } = await import('@ai-sdk/openai');
    return createOpenAI({ ...provider, baseURL: 'https://api.cohere.ai/compatibility/v1' }).embedding(modelId);
  },
  settings: () => ({ batchSize }),
});
