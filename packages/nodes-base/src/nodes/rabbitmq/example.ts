import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'Each order goes into a queue, which is created if it does not exist.',
  needs: 'A broker',
  parameters: { mode: 'queue', queue: 'orders', options: { headers: { header: [{ key: 'source', value: 'shop' }] } } },
  inputs: [[{ order: 7 }]],
  outputs: [[{ success: true }]],
};
