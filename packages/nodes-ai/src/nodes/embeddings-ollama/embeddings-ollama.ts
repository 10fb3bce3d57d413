import { defineEmbedding } from '../../shared/define-embedding.ts';
import { ollamaModels, ollamaOptions } from '../../shared/ollama.ts';

/** https://docs.ollama.com/openai#v1%2Fembeddings */
export const embeddingsOllama = defineEmbedding({
  name: 'embeddings-ollama',
  service: 'Ollama',
  credential: 'ollamaApi',
  model: { fallback: 'nomic-embed-text' },
  list: ollamaModels,
  open: async (use) => {
    const { createOpenAI } = await import('@ai-sdk/openai');
    return createOpenAI(ollamaOptions(use)).embedding(use.modelId);
  },
});
