import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Posts a message for each item.',
  needs: 'a Mattermost server, a token of a bot or user, and the ID of a channel that it is in',
  notes: [
    'Setup: in Mattermost, create a bot (**Integrations → Bot Accounts**), or a personal access token (**Profile → Security**); an administrator allows both in the',
    'System Console. Store the token and the address of the server, without `/api/v4`, in the credential. A bot must be a member of the channel.',
    '',
    'The ID of a channel is at the bottom of **View Info**. Servers limit requests to 10 per second unless they are configured otherwise; after more, the node waits.',
  ].join('\n'),
  parameters: {
    channelId: 'c1',
    message: '={{ $json.text }}',
    attachments: [{ title: 'Report', color: '#00aa00', fields: { item: [{ title: 'Sum', value: '5', short: true }] } }],
    otherOptions: {},
  },
  inputs: [[{ text: 'Hello' }]],
  outputs: [[{ id: 'p1', channel_id: 'c1', message: 'Hello' }]],
};
