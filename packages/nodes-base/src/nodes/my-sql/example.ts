import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'A query with bound values.',
  needs: 'A table: CREATE TABLE people (id int PRIMARY KEY, name varchar(100))',
  parameters: {
    operation: 'executeQuery',
    query: 'SELECT id, name FROM people WHERE name = $1',
    options: { queryReplacement: '={{ $json.name }}' },
  },
  inputs: [[{ name: 'Ann' }]],
  outputs: [[{ id: 1, name: 'Ann' }]],
};
