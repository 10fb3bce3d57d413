import type { AiExample } from '../../testing/ai-example.ts';

export const example: AiExample = {
  shows: 'An agent answers two messages of one conversation; the second time, the model sees the first exchange, too.',
  nodes: {
    Agent: { type: 'ai.agent', typeVersion: 3 },
    Model: {
      type: 'ai.lm-chat-open-ai',
      typeVersion: 1.2,
      parameters: { model: 'gpt-4o-mini' },
      credential: 'openAiApi',
      to: { Agent: 'ai_languageModel' },
    },
    Memory: {
      type: 'ai.memory-buffer-window',
      typeVersion: 1.3,
      parameters: { contextWindowLength: 10 },
      to: { Agent: 'ai_memory' },
    },
  },
  items: [
    { sessionId: 'ada', chatInput: 'My name is Ada.' },
    { sessionId: 'ada', chatInput: 'What is my name?' },
  ],
  apis: { openAi: [{ text: 'Hello, Ada.' }, { text: 'Ada.' }] },
  output: { node: 'Agent', items: [{ output: 'Hello, Ada.' }, { output: 'Ada.' }] },
};
