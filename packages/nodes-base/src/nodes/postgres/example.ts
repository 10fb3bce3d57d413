import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'Each item becomes a row; the output has the stored rows, with their generated numbers.',
  needs: 'A table: CREATE TABLE people (id serial PRIMARY KEY, name text NOT NULL, age int)',
  parameters: {
    operation: 'insert',
    schema: { __rl: true, mode: 'list', value: 'public' },
    table: { __rl: true, mode: 'list', value: 'people' },
    columns: { mappingMode: 'autoMapInputData', value: null, matchingColumns: [] },
  },
  inputs: [[{ name: 'Ann', age: 30 }, { name: 'Bob' }]],
  outputs: [
    [
      { id: 1, name: 'Ann', age: 30 },
      { id: 2, name: 'Bob', age: null },
    ],
  ],
};
