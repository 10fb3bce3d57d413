import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Sends a message to a chat.',
  needs: 'a Telegram bot and its token',
  parameters: { chatId: '5', text: 'Hello', additionalFields: { parse_mode: 'HTML' } },
  inputs: [[{}]],
  outputs: [[{ ok: true, result: { message_id: 7, chat: { id: 5 }, text: 'Hello' } }]],
};
