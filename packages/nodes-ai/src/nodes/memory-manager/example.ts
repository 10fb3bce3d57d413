import type { AiExample } from '../../testing/ai-example.ts';

export const example: AiExample = {
  shows: 'Two messages are added to the conversation of a user.',
  nodes: {
    Manager: {
      type: 'ai.memory-manager',
      typeVersion: 1.1,
      parameters: {
        mode: 'insert',
        messages: {
          messageValues: [
            { type: 'user', message: '=My name is {{ $json.name }}.' },
            { type: 'ai', message: 'Hello.' },
          ],
        },
      },
    },
    Memory: {
      type: 'ai.memory-buffer-window',
      typeVersion: 1.3,
      parameters: { sessionIdType: 'customKey', sessionKey: '={{ $json.name }}' },
      to: { Manager: 'ai_memory' },
    },
  },
  items: [{ name: 'Ada' }],
  output: { node: 'Manager', items: [{ messages: [{ human: 'My name is Ada.', ai: 'Hello.' }] }] },
};
