import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows:
    'Orders that are posted to `/webhook/orders`; each response contains the output of the last node. A manual run returns an empty item.',
  parameters: { httpMethod: 'POST', path: 'orders', responseMode: 'lastNode' },
  outputs: [[{}]],
};
