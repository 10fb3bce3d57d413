import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'A workflow that is run by hand begins with one empty item.',
  parameters: {},
  outputs: [[{}]],
};
