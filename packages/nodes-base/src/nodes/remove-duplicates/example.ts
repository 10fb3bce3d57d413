import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'Only the first of several items with the same address stays.',
  parameters: { compare: 'selectedFields', fieldsToCompare: 'email' },
  inputs: [
    [
      { email: 'a@example.com', n: 1 },
      { email: 'a@example.com', n: 2 },
      { email: 'b@example.com', n: 3 },
    ],
  ],
  outputs: [
    [
      { email: 'a@example.com', n: 1 },
      { email: 'b@example.com', n: 3 },
    ],
  ],
};
