import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Starts the workflow for each message to the bot.',
  needs: 'a Telegram bot, its token, and `PUBLIC_URL` with https',
  notes: [
    'Setup: send `/newbot` to [@BotFather](https://t.me/BotFather), and store the token in the credential. Activation registers the address at Telegram, and deactivation removes',
    'it. `PUBLIC_URL` needs a certificate that Telegram trusts, and the port 443, 80, 88, or 8443. Tokens have no scopes. In a group, a bot gets only commands and replies to it',
    'unless it is an administrator, or its privacy mode is off (@BotFather, **Bot Settings > Group Privacy**); a channel adds it as an administrator.',
    '',
    'Telegram limits: it sends the updates of a bot to one address only, so activate one workflow for each bot; files of more than 20 MB cannot be downloaded. Telegram keeps',
    'updates that it could not deliver for at most 24 hours. An update that it sends again in that time starts nothing.',
  ].join('\n'),
  parameters: { updates: ['message'], additionalFields: {} },
  outputs: [[{ update_id: 1, message: { message_id: 7, chat: { id: 5 }, from: { id: 9 }, text: 'Hello' } }]],
};
