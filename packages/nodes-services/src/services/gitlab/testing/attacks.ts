import { type Attacks, manyObjects } from '../../../testing/attack.ts';

const place = { owner: 'a', repository: 'b' };

export const attacks: Attacks = {
  gitlab: () => [
    {
      name: 'many issues',
      parameters: { resource: 'repository', ...place, returnAll: true },
      answer: () => manyObjects(300_000),
    },
    {
      name: 'a long path',
      parameters: { resource: 'file', operation: 'get', ...place, filePath: '/'.repeat(3_000_000) },
      answer: () => '{}',
    },
    {
      name: 'many problems',
      parameters: { ...place, title: 't' },
      status: 400,
      answer: () => `{"message":${manyObjects(900_000)}}`,
    },
  ],
  'gitlab-trigger': () => [],
};
