import { type Attacks, accepted, manyObjects } from '../../../testing/attack.ts';

export const attacks: Attacks = {
  asana: () => [
    {
      name: 'many tasks',
      parameters: { resource: 'task', operation: 'getAll', returnAll: true, filters: { project: '1' } },
      answer: () => `{"data":${manyObjects(300_000)}}`,
    },
    {
      name: 'many found tasks',
      parameters: { resource: 'task', operation: 'search', workspace: '1' },
      answer: () => `{"data":${manyObjects(1_000_000)}}`,
    },
    {
      name: 'many projects',
      parameters: { workspace: '1', name: 'x', otherProperties: { projects: 'x,'.repeat(500_000) } },
      answer: accepted,
    },
  ],
};
