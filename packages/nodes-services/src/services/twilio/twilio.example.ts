import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Sends an SMS.',
  needs: 'a Twilio account and one of its numbers',
  parameters: { from: '+15005550006', to: '+14155238886', message: 'Your order is on its way' },
  inputs: [[{}]],
  outputs: [[{ sid: 'SM1', status: 'queued' }]],
};
