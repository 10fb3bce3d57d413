import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Starts the workflow for each message to the bot.',
  needs: 'a Telegram bot, its token, and `PUBLIC_URL` with https',
  notes:
    'Telegram sends the updates of a bot to one address only: activate one workflow for each bot. An update that Telegram sends again within 24 hours starts nothing.',
  parameters: { updates: ['message'], additionalFields: {} },
  outputs: [[{ update_id: 1, message: { message_id: 7, chat: { id: 5 }, from: { id: 9 }, text: 'Hello' } }]],
};
