import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'The first two sample customers.',
  parameters: { operation: 'getAllPeople', limit: 2 },
  inputs: [[{}]],
  outputs: [
    [
      {
        id: '23423532',
        name: 'Jay Gatsby',
        email: 'gatsby@west-egg.com',
        notes: 'Wants to know who owns the green light',
        country: 'US',
        created: '1925-04-10',
      },
      {
        id: '23423533',
        name: 'José Arcadio Buendía',
        email: 'jab@macondo.co',
        notes: 'Has many relatives with the same name',
        country: 'CO',
        created: '1967-05-05',
      },
    ],
  ],
};
