import { type Attacks, manyObjects } from '../../../testing/attack.ts';

export const attacks: Attacks = {
  todoist: () => [
    {
      name: 'many tasks',
      parameters: { operation: 'getAll', returnAll: true, filters: {} },
      answer: () => `{"results":${manyObjects(300_000)},"next_cursor":"c"}`,
    },
    {
      name: 'many labels',
      parameters: { operation: 'create', project: 'p', content: 'c', labels: 'x,'.repeat(5_000_000), options: {} },
      answer: () => '{}',
    },
  ],
};
