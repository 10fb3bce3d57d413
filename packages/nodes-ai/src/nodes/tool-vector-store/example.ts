import type { AiExample } from '../../testing/ai-example.ts';

export const example: AiExample = {
  shows: 'An agent has a tool that answers questions with a collection in Qdrant.',
  nodes: {
    Agent: { type: 'ai.agent', typeVersion: 3, parameters: { promptType: 'define', text: '={{ $json.question }}' } },
    Model: {
      type: 'ai.lm-chat-open-ai',
      typeVersion: 1.2,
      parameters: { model: 'gpt-4o-mini' },
      credential: 'openAiApi',
      to: { Agent: 'ai_languageModel', Animals: 'ai_languageModel' },
    },
    Animals: {
      type: 'ai.tool-vector-store',
      typeVersion: 1.1,
      parameters: { description: 'facts about animals' },
      to: { Agent: 'ai_tool' },
    },
    Store: {
      type: 'ai.vector-store-qdrant',
      typeVersion: 1.3,
      parameters: { mode: 'retrieve', qdrantCollection: { __rl: true, mode: 'id', value: 'my docs' } },
      credential: 'qdrantApi',
      to: { Animals: 'ai_vectorStore' },
    },
    Embeddings: {
      type: 'ai.embeddings-open-ai',
      parameters: { model: 'text-embedding-3-small' },
      credential: 'openAiApi',
      to: { Store: 'ai_embedding' },
    },
  },
  items: [{ question: 'What do cats do?' }],
  apis: {
    openAi: [
      { calls: [{ name: 'Animals', input: { input: 'What do cats do?' } }] },
      { text: 'Cats purr.' },
      { text: 'They purr.' },
    ],
    qdrant: [],
  },
  output: { node: 'Agent', items: [{ output: 'They purr.' }] },
};
