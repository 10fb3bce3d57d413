import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'The last two stay.',
  parameters: { maxItems: 2, keep: 'lastItems' },
  inputs: [[{ id: 1 }, { id: 2 }, { id: 3 }]],
  outputs: [[{ id: 2 }, { id: 3 }]],
};
