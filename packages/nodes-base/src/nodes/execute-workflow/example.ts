import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'Each order goes through the workflow `charge-customer`, one after another.',
  needs: 'a workflow that can be called',
  parameters: { workflowId: { __rl: true, mode: 'id', value: 'charge-customer' }, mode: 'each' },
  inputs: [[{ order: 1 }, { order: 2 }]],
  outputs: [
    [
      { order: 1, charged: true },
      { order: 2, charged: true },
    ],
  ],
};
