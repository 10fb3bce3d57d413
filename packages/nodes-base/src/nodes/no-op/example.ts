import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'Items pass unchanged.',
  parameters: {},
  inputs: [[{ id: 1 }]],
  outputs: [[{ id: 1 }]],
};
