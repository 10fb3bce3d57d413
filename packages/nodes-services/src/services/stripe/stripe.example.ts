import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Creates a customer for each item.',
  needs:
    'a Stripe account and a secret key (Dashboard → Developers → API keys), or better a restricted key that may write what the workflow writes, such as "Customers: Write"',
  notes:
    'Each change has an idempotency key made of the execution, the node, and the item: if the response is lost and the item is tried again, Stripe returns the first result and does not charge twice. A new execution is a new change. Amounts are in the smallest unit of the currency. Stripe accepts 100 requests per second, 25 in test mode; after more, the node waits.',
  parameters: {
    resource: 'customer',
    operation: 'create',
    name: '={{ $json.name }}',
    additionalFields: {
      email: '={{ $json.email }}',
      metadata: { metadataProperties: [{ key: 'plan', value: 'basic' }] },
    },
  },
  inputs: [[{ name: 'Ada', email: 'ada@example.com' }]],
  outputs: [[{ id: 'cus_1', name: 'Ada' }]],
};
