import { defineEmbedding } from '../../shared/define-embedding.ts';
import { geminiAddress, geminiOption } from '../../shared/gemini.ts';

/** https://ai.google.dev/gemini-api/docs/embeddings */
export const embeddingsGoogleGemini = defineEmbedding({
  name: 'embeddings-google-gemini',
  service: 'Google Gemini',
  credential: 'googlePalmApi',
  model: { name: 'modelName', fallback: 'models/gemini-embedding-001' },
  list: {
    url: (data) => `${geminiAddress(data)}/models?pageSize=1000`,
    member: 'models',
    option: (model) => geminiOption(model, 'embedContent'),
  },
  open: async ({ modelId, data, provider }) => {
    const { createGoogle } = await import('@ai-sdk/google');
    return createGoogle({ ...provider, baseURL: geminiAddress(data) }).embedding(modelId.replace(/^models\//, ''));
  },
});
