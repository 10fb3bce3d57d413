import type { AiExample } from '../../testing/ai-example.ts';

export const example: AiExample = {
  shows: 'Items are stored as documents in Weaviate, with vectors from OpenAI.',
  nodes: {
    Store: {
      type: 'ai.vector-store-weaviate',
      typeVersion: 1.3,
      parameters: { mode: 'insert', weaviateCollection: { __rl: true, mode: 'id', value: 'Docs' } },
      credential: 'weaviateApi',
    },
    Loader: {
      type: 'ai.document-default-data-loader',
      typeVersion: 1.1,
      parameters: { jsonMode: 'expressionData', jsonData: '={{ $json.text }}' },
      to: { Store: 'ai_document' },
    },
    Embeddings: {
      type: 'ai.embeddings-open-ai',
      parameters: { model: 'text-embedding-3-small' },
      credential: 'openAiApi',
      to: { Store: 'ai_embedding' },
    },
  },
  items: [{ text: 'Cats purr.' }],
  apis: { openAi: [], weaviate: [] },
  output: {
    node: 'Store',
    items: [
      {
        metadata: { source: 'blob', blobType: 'text/plain', loc: { lines: { from: 1, to: 1 } } },
        pageContent: 'Cats purr.',
      },
    ],
  },
};
