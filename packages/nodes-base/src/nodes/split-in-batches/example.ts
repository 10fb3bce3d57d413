import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows:
    'The first run of a loop: the second output gives the first batch. What the loop sends back brings the next; when none are left, all that came back is given at the first output.',
  parameters: { batchSize: 2 },
  inputs: [[{ id: 1 }, { id: 2 }, { id: 3 }]],
  outputs: [[], [{ id: 1 }, { id: 2 }]],
};
