import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'A manual run starts with one empty item.',
  parameters: {},
  outputs: [[{}]],
};
