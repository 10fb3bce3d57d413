import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'An item for each row of a CSV file.',
  parameters: { operation: 'csv', options: { delimiter: ';' } },
  inputs: [[{}]],
  files: { data: { fileName: 'people.csv', text: 'name;age\nAda;36\nAlan;41\n' } },
  outputs: [
    [
      { name: 'Ada', age: '36' },
      { name: 'Alan', age: '41' },
    ],
  ],
};
