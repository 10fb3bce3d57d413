import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'One field of each item goes to a queue, with a header.',
  needs: 'A broker',
  parameters: { sink: 'orders', headerParametersJson: '{ "source": "shop" }', options: { sendOnlyProperty: 'order' } },
  inputs: [[{ order: 7 }]],
  outputs: [[{ id: 0 }]],
};
