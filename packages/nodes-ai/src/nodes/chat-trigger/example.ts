import type { AiExample } from '../../testing/ai-example.ts';

export const example: AiExample = {
  shows:
    'A chat at `/webhook/<webhookId>/chat`, whose agent remembers each session. A manual run passes its input on as the message.',
  nodes: {
    Chat: {
      type: 'ai.chat-trigger',
      typeVersion: 1.3,
      parameters: { public: true, options: { responseMode: 'streaming', title: 'Support' } },
      to: { Agent: 'main' },
    },
    Agent: { type: 'ai.agent', typeVersion: 3 },
    Model: {
      type: 'ai.lm-chat-open-ai',
      typeVersion: 1.2,
      parameters: { model: 'gpt-4o-mini' },
      credential: 'openAiApi',
      to: { Agent: 'ai_languageModel' },
    },
    Memory: { type: 'ai.memory-buffer-window', typeVersion: 1.3, to: { Agent: 'ai_memory' } },
  },
  items: [{ sessionId: 's1', chatInput: 'Hello' }],
  apis: { openAi: [{ text: 'How can I help?' }] },
  output: { node: 'Agent', items: [{ output: 'How can I help?' }] },
};
