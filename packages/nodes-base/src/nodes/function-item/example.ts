import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'The JSON of each item is changed.',
  parameters: { functionCode: 'item.n *= 2;\nreturn item;' },
  inputs: [[{ n: 1 }, { n: 2 }]],
  outputs: [[{ n: 2 }, { n: 4 }]],
};
