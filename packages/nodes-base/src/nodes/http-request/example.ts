import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'A fetched list becomes one item per element.',
  parameters: { url: 'https://api.example.com/users' },
  inputs: [[{}]],
  response: { status: 200, json: [{ id: 1 }, { id: 2 }] },
  outputs: [[{ id: 1 }, { id: 2 }]],
};
