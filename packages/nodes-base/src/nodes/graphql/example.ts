import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'A query with a variable.',
  parameters: {
    endpoint: 'https://api.example.com/graphql',
    query: 'query ($id: ID!) { user(id: $id) { name } }',
    variables: '={{ { "id": $json.id } }}',
  },
  inputs: [[{ id: 7 }]],
  response: { status: 200, json: { data: { user: { name: 'Ada' } } } },
  outputs: [[{ data: { user: { name: 'Ada' } } }]],
};
