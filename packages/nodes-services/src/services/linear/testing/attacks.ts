import { type Attacks, manyObjects } from '../../../testing/attack.ts';

export const attacks: Attacks = {
  linear: () => [
    {
      name: 'many issues',
      parameters: { resource: 'issue', operation: 'getAll', returnAll: true },
      answer: () => `{"data":{"issues":{"nodes":${manyObjects(300_000)},"pageInfo":{"hasNextPage":true,"endCursor":"c"}}}}`,
    },
    {
      name: 'many errors',
      parameters: { resource: 'issue', operation: 'get', issueId: '1' },
      answer: () => `{"errors":${manyObjects(1_000_000)}}`,
    },
  ],
};
