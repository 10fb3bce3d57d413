import type { AiExample } from '../../testing/ai-example.ts';

export const example: AiExample = {
  shows: 'An agent answers the message of a manual run.',
  nodes: {
    Chat: { type: 'ai.manual-chat-trigger', typeVersion: 1.1, to: { Agent: 'main' } },
    Agent: { type: 'ai.agent', typeVersion: 1.6 },
    Model: {
      type: 'ai.lm-chat-open-ai',
      typeVersion: 1.2,
      parameters: { model: 'gpt-4o-mini' },
      credential: 'openAiApi',
      to: { Agent: 'ai_languageModel' },
    },
  },
  items: [{ chatInput: 'Hello' }],
  apis: { openAi: [{ text: 'How can I help?' }] },
  output: { node: 'Agent', items: [{ output: 'How can I help?' }] },
};
