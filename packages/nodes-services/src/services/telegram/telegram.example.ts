import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Sends a message to a chat.',
  needs: 'a Telegram bot and its token',
  notes: [
    'Setup: send `/newbot` to [@BotFather](https://t.me/BotFather), and store the token in the credential. A user starts the bot before it may write to them; a group adds it as a',
    'member, and a channel as an administrator. Tokens have no scopes: what the bot may change in a chat depends on its rights as an administrator.',
    '',
    'Telegram limits: 4,096 characters in a message, 1,024 in a caption; uploads of 50 MB, downloads of 20 MB; about 30 messages per second, one per second to a chat, and 20 per',
    'minute to a group. After more, the node waits as long as Telegram requests.',
  ].join('\n'),
  parameters: { chatId: '5', text: 'Hello', additionalFields: { parse_mode: 'HTML' } },
  inputs: [[{}]],
  outputs: [[{ ok: true, result: { message_id: 7, chat: { id: 5 }, text: 'Hello' } }]],
};
