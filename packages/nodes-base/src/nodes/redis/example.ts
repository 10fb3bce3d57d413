import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'A counter increases by one with each item.',
  needs: 'A server without the key "visits"',
  parameters: { operation: 'incr', key: 'visits' },
  inputs: [[{}, {}]],
  outputs: [[{ visits: 1 }, { visits: 2 }]],
};
