import type { AiExample } from '../../testing/ai-example.ts';

export const example: AiExample = {
  shows: 'Items are stored in Qdrant with vectors from Google Vertex AI.',
  nodes: {
    Store: {
      type: 'ai.vector-store-qdrant',
      typeVersion: 1.3,
      parameters: { mode: 'insert', qdrantCollection: { __rl: true, mode: 'id', value: 'my docs' } },
      credential: 'qdrantApi',
    },
    Loader: {
      type: 'ai.document-default-data-loader',
      typeVersion: 1.1,
      parameters: { jsonMode: 'expressionData', jsonData: '={{ $json.text }}' },
      to: { Store: 'ai_document' },
    },
    Embeddings: {
      type: 'ai.embeddings-google-vertex',
      parameters: { projectId: { __rl: true, mode: 'id', value: 'my-project' }, modelName: 'text-embedding-005' },
      credential: 'googleApi',
      to: { Store: 'ai_embedding' },
    },
  },
  items: [{ text: 'Cats purr.' }],
  apis: { vertex: [], qdrant: [] },
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
