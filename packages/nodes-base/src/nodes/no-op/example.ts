import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'Items pass as they are.',
  parameters: {},
  inputs: [[{ id: 1 }]],
  outputs: [[{ id: 1 }]],
};
