import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows:
    'The first run of a loop: the second output emits the first batch. Each return of the loop emits the next batch; after the last, the first output emits all returned items.',
  parameters: { batchSize: 2 },
  inputs: [[{ id: 1 }, { id: 2 }, { id: 3 }]],
  outputs: [[], [{ id: 1 }, { id: 2 }]],
};
