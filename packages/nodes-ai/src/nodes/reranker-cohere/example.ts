import type { AiExample } from '../../testing/ai-example.ts';

export const example: AiExample = {
  shows: 'The documents that Qdrant finds are sorted again by Cohere.',
  nodes: {
    Store: {
      type: 'ai.vector-store-qdrant',
      typeVersion: 1.3,
      parameters: {
        mode: 'load',
        prompt: '={{ $json.question }}',
        topK: 4,
        useReranker: true,
        qdrantCollection: { __rl: true, mode: 'id', value: 'my docs' },
      },
      credential: 'qdrantApi',
    },
    Reranker: {
      type: 'ai.reranker-cohere',
      parameters: { topN: 1 },
      credential: 'cohereApi',
      to: { Store: 'ai_reranker' },
    },
    Embeddings: {
      type: 'ai.embeddings-open-ai',
      parameters: { model: 'text-embedding-3-small' },
      credential: 'openAiApi',
      to: { Store: 'ai_embedding' },
    },
  },
  items: [{ question: 'What do cats do?' }],
  apis: { cohere: [], openAi: [], qdrant: [] },
  output: {
    node: 'Store',
    items: [{ document: { metadata: {}, pageContent: 'Cats purr.' }, score: 0.1 }],
  },
};
