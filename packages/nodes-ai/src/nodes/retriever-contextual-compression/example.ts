import type { AiExample } from '../../testing/ai-example.ts';

export const example: AiExample = {
  shows: 'A model shortens the documents that Qdrant finds to the parts relevant to the question, and answers it.',
  nodes: {
    Chain: {
      type: 'ai.chain-retrieval-qa',
      typeVersion: 1.6,
      parameters: { promptType: 'define', text: '={{ $json.question }}' },
    },
    Model: {
      type: 'ai.lm-chat-open-ai',
      typeVersion: 1.2,
      parameters: { model: 'gpt-4o-mini' },
      credential: 'openAiApi',
      to: { Chain: 'ai_languageModel', Compressed: 'ai_languageModel' },
    },
    Compressed: {
      type: 'ai.retriever-contextual-compression',
      to: { Chain: 'ai_retriever' },
    },
    Retriever: {
      type: 'ai.retriever-vector-store',
      parameters: { topK: 1 },
      to: { Compressed: 'ai_retriever' },
    },
    Store: {
      type: 'ai.vector-store-qdrant',
      typeVersion: 1.3,
      parameters: { mode: 'retrieve', qdrantCollection: { __rl: true, mode: 'id', value: 'my docs' } },
      credential: 'qdrantApi',
      to: { Retriever: 'ai_vectorStore' },
    },
    Embeddings: {
      type: 'ai.embeddings-open-ai',
      parameters: { model: 'text-embedding-3-small' },
      credential: 'openAiApi',
      to: { Store: 'ai_embedding' },
    },
  },
  items: [{ question: 'What do cats do?' }],
  apis: { openAi: [{ text: 'Cats purr.' }, { text: 'They purr.' }], qdrant: [] },
  output: { node: 'Chain', items: [{ response: 'They purr.' }] },
};
