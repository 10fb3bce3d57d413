import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Sends an SMS.',
  needs: 'a Twilio account and one of its numbers',
  notes: [
    'Setup: copy the account SID and the auth token from the [console](https://console.twilio.com), or create an API key there, and choose a number of the account as the sender.',
    'The auth token has all rights; a restricted API key needs the permissions to create messages and calls. A trial account sends to verified numbers only.',
    '',
    'Twilio limits: 1,600 characters in a message. Twilio queues messages of a number that sends too fast; after too many requests, the node waits.',
  ].join('\n'),
  parameters: { from: '+15005550006', to: '+14155238886', message: 'Your order is on its way' },
  inputs: [[{}]],
  outputs: [[{ sid: 'SM1', status: 'queued' }]],
};
