import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'Every ten minutes.',
  parameters: { interval: 10, unit: 'minutes' },
  outputs: [[{}]],
};
