import { type Attacks, manyObjects } from '../../../testing/attack.ts';

export const attacks: Attacks = {
  'microsoft-to-do': () => [
    {
      name: 'many tasks',
      parameters: { resource: 'task', operation: 'getAll', taskListId: 'l', returnAll: true },
      answer: () => `{"value":${manyObjects(300_000)}}`,
    },
  ],
};
