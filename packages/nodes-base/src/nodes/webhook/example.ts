import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows:
    'Orders that are posted to `/webhook/orders`; each call is answered with what the last node gives. Run by hand, it gives an empty item.',
  parameters: { httpMethod: 'POST', path: 'orders', responseMode: 'lastNode' },
  outputs: [[{}]],
};
