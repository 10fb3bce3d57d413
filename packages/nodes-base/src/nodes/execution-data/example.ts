import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'Saves the number of an order with the execution.',
  notes:
    'The strings are stored in `data.resultData.metadata` of the execution, like the strings that `$execution.customData` sets: at most 10, with keys of up to 50 and values of up to 255 characters. The last item that sets a key wins. Lists of executions cannot be filtered by them.',
  parameters: { dataToSave: { values: [{ key: 'order', value: '7' }] } },
  inputs: [[{ id: 7 }]],
  outputs: [[{ id: 7 }]],
};
