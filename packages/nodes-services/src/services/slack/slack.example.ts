import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Sends a message to a channel.',
  needs: 'a Slack app with the scope `chat:write`, and its token',
  parameters: {
    select: 'channel',
    channelId: { __rl: true, mode: 'name', value: '#general' },
    text: 'Hello',
    otherOptions: {},
  },
  inputs: [[{}]],
  outputs: [[{ ok: true, channel: 'C1', ts: '1.2', message: { text: 'Hello' }, message_timestamp: '1.2' }]],
};
