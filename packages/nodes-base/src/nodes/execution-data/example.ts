import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'Saves the number of an order with the execution.',
  notes:
    'Executions can be searched by these strings, as by those of `$execution.customData`: at most 10, with keys of up to 50 and values of up to 255 characters. The last item that sets a key wins.',
  parameters: { dataToSave: { values: [{ key: 'order', value: '7' }] } },
  inputs: [[{ id: 7 }]],
  outputs: [[{ id: 7 }]],
};
