import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Sends an email for each item.',
  needs: 'an API key of SendGrid (Settings → API Keys) with the permission Mail Send, and a verified sender',
  notes:
    'SendGrid accepts an email before it delivers it; `messageId` finds it in the activity of SendGrid. A list of contacts has at most 50: the latest ones, or those that match the query.',
  parameters: {
    resource: 'mail',
    fromEmail: 'shop@example.com',
    fromName: 'Shop',
    toEmail: '={{ $json.email }}',
    subject: 'Your order',
    contentValue: '=Hello {{ $json.name }}, your order is on its way.',
    additionalFields: {},
  },
  inputs: [[{ email: 'ada@example.com', name: 'Ada' }]],
  outputs: [[{ messageId: 'm1' }]],
};
