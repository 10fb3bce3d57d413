import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'All items become one CSV file, in the field `data` of the files of one item.',
  parameters: { operation: 'csv', options: { fileName: 'people.csv' } },
  inputs: [
    [
      { name: 'Ada', born: 1815 },
      { name: 'Alan', born: 1912 },
    ],
  ],
  outputs: [[{}]],
};
