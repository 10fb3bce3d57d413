import type { AiExample } from '../../testing/ai-example.ts';

export const example: AiExample = {
  shows: 'A chat gets two messages. With "Wait for User Reply", the workflow continues with the next message of the user.',
  nodes: {
    Chat: {
      type: 'ai.chat-trigger',
      typeVersion: 1.3,
      parameters: { public: true, options: { responseMode: 'responseNodes' } },
      to: { Working: 'main' },
    },
    Working: {
      type: 'ai.chat',
      parameters: { message: '=I look for "{{ $json.chatInput }}".', waitUserReply: false },
      to: { Done: 'main' },
    },
    Done: { type: 'ai.chat', parameters: { message: 'There are two.', waitUserReply: false } },
  },
  items: [{ sessionId: 's1', chatInput: 'red shoes' }],
  output: { node: 'Done', items: [{ sessionId: 's1', chatInput: 'red shoes' }] },
};
