import type { AiExample } from '../../testing/ai-example.ts';

export const example: AiExample = {
  shows: 'An agent remembers the last ten exchanges with each user in MongoDB.',
  needs: 'mongodb',
  nodes: {
    Agent: { type: 'ai.agent', typeVersion: 3, parameters: { promptType: 'define', text: '={{ $json.question }}' } },
    Model: {
      type: 'ai.lm-chat-open-ai',
      typeVersion: 1.2,
      parameters: { model: 'gpt-4o-mini' },
      credential: 'openAiApi',
      to: { Agent: 'ai_languageModel' },
    },
    Memory: {
      type: 'ai.memory-mongo-db-chat',
      typeVersion: 1,
      parameters: {
        sessionIdType: 'customKey',
        sessionKey: '={{ $json.user }}',
        contextWindowLength: 10,
        collectionName: 'chats',
      },
      credential: 'mongoDb',
      to: { Agent: 'ai_memory' },
    },
  },
  items: [
    { user: 'ada', question: 'My name is Ada.' },
    { user: 'ada', question: 'What is my name?' },
  ],
  apis: { openAi: [{ text: 'Hello, Ada.' }, { text: 'Ada.' }] },
  output: { node: 'Agent', items: [{ output: 'Hello, Ada.' }, { output: 'Ada.' }] },
};
