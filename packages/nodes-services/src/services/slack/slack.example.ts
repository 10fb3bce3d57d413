import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Sends a message to a channel.',
  needs: 'a Slack app with the scope `chat:write`, and its token',
  notes: [
    'Setup: create an [app](https://api.slack.com/apps), add the scopes under **OAuth & Permissions > Bot Token Scopes**, install the app, store its bot token in',
    'the credential, and invite the app to its channels. A credential with OAuth2 acts as the user who connects it: enter the redirect URL of the credential in the app.',
    '',
    'Scopes: `chat:write` for messages; `channels:read`, `groups:read`, and `users:read` for lists; `channels:history` and `groups:history` for reading messages; `channels:manage`',
    'for changes of channels; `files:read`, `files:write`, `reactions:read`, and `reactions:write` for those resources. A search needs a token of a user.',
    '',
    'Slack limits: one message per second to a channel, and 20 to 100 requests per minute for most other methods; after more, the node waits as long as Slack requests.',
  ].join('\n'),
  parameters: {
    select: 'channel',
    channelId: { __rl: true, mode: 'name', value: '#general' },
    text: 'Hello',
    otherOptions: {},
  },
  inputs: [[{}]],
  outputs: [[{ ok: true, channel: 'C1', ts: '1.2', message: { text: 'Hello' }, message_timestamp: '1.2' }]],
};
