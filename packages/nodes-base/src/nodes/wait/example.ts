import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'Items continue after a delay.',
  parameters: { amount: 0, unit: 'seconds' },
  inputs: [[{ id: 1 }]],
  outputs: [[{ id: 1 }]],
};
