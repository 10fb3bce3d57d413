import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Starts the workflow for each message in a channel.',
  needs: 'a Slack app, its token and signing secret, and `PUBLIC_URL` with https',
  notes: [
    'Setup: store the token and the **Signing Secret** (under **Basic Information**) of the [app](https://api.slack.com/apps) in the credential,',
    'and activate the workflow. Enter its webhook URL under **Event Subscriptions > Request URL**, which Slack verifies, subscribe to the events,',
    'and install the app again. Scopes: `app_mentions:read`, `channels:history`, `channels:read`, `files:read`, `reactions:read`, `users:read`,',
    'each for its events; `groups:history` for private channels. Invite the app to the channel.',
    '',
    'Requests without a valid signature, or older than five minutes, are rejected. Slack repeats an event that is not confirmed within three seconds; a repeated event starts nothing.',
  ].join('\n'),
  parameters: { trigger: ['message'], channelId: { __rl: true, mode: 'id', value: 'C1' }, options: {} },
  outputs: [[{ type: 'message', channel: 'C1', user: 'U1', text: 'Hello', ts: '1.2' }]],
};
