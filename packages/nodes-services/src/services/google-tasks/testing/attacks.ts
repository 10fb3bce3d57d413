import { type Attacks, manyObjects } from '../../../testing/attack.ts';

export const attacks: Attacks = {
  'google-tasks': () => [
    {
      name: 'many tasks',
      parameters: { resource: 'task', operation: 'getAll', task: 'l', returnAll: true, additionalFields: {} },
      answer: () => `{"items":${manyObjects(300_000)}}`,
    },
  ],
};
