import { type Attacks, manyObjects } from '../../../testing/attack.ts';

export const attacks: Attacks = {
  beeminder: () => [
    {
      name: 'many values',
      parameters: { operation: 'getAll', goalName: 'g', returnAll: true },
      answer: () => manyObjects(299_999),
    },
    {
      name: 'a long comment',
      parameters: { goalName: 'g', value: 1, additionalFields: { comment: 'ä'.repeat(5_000_000) } },
      answer: () => '{}',
    },
  ],
};
