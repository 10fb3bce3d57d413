import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'Items pass after a time.',
  parameters: { amount: 0, unit: 'seconds' },
  inputs: [[{ id: 1 }]],
  outputs: [[{ id: 1 }]],
};
