import type { AiExample } from '../../testing/ai-example.ts';

export const example: AiExample = {
  shows:
    'A chat gets two messages. With "Send and Wait for Response", the workflow continues with the next message of the user.',
  nodes: {
    Chat: {
      type: 'ai.chat-trigger',
      typeVersion: 1.3,
      parameters: { public: true, options: { responseMode: 'responseNodes' } },
      to: { Working: 'main' },
    },
    Working: {
      type: 'ai.chat',
      typeVersion: 1.3,
      parameters: { operation: 'send', message: '=I look for "{{ $json.chatInput }}".' },
      to: { Done: 'main' },
    },
    Done: { type: 'ai.chat', typeVersion: 1.3, parameters: { operation: 'send', message: 'There are two.' } },
  },
  items: [{ sessionId: 's1', chatInput: 'red shoes' }],
  output: { node: 'Done', items: [{ sessionId: 's1', chatInput: 'red shoes' }] },
};
