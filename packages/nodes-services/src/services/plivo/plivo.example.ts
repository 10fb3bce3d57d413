import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Sends a text message.',
  needs: 'a Plivo account with a number, and its Auth ID and Auth Token (Console → Overview)',
  notes:
    'Each message and each minute of a call is charged to the account. Trial accounts reach verified numbers only. A call needs a public address that returns Plivo XML, such as a Webhook node.',
  parameters: { from: '14155551234', to: '14157654321', message: 'Your order has been shipped.' },
  inputs: [[{}]],
  outputs: [[{ message: 'message(s) queued', message_uuid: ['m1'], api_id: 'a1' }]],
};
