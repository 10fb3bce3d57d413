import { azureOptions } from '../../shared/azure-open-ai.ts';
import { defineEmbedding, embeddingOptions, openAiEmbeddingSettings } from '../../shared/define-embedding.ts';

const { dimensions, batchSize, stripNewLines, timeout } = embeddingOptions;

/** A model is the name of a deployment. */
export const embeddingsAzureOpenAi = defineEmbedding({
  name: 'embeddings-azure-open-ai',
  service: 'Azure OpenAI',
  credential: 'azureOpenAiApi',
  model: { fallback: '' },
  options: [dimensions, batchSize, stripNewLines, timeout],
  open: async ({ modelId, data, provider }) => {
    const { createOpenAI } = await import('@ai-sdk/openai');
    return createOpenAI({ ...provider, ...azureOptions(data, modelId, provider.fetch) }).embedding(modelId);
  },
  settings: openAiEmbeddingSettings,
});
