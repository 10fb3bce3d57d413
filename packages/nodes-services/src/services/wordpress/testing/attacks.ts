import { type Attacks, accepted } from '../../../testing/attack.ts';

export const attacks: Attacks = {
  wordpress: () => [
    {
      name: 'many members',
      parameters: {
        resource: 'post',
        operation: 'create',
        title: 'A',
        additionalFields: Object.fromEntries(Array.from({ length: 1_000 }, (_, id) => [`fieldName${id}`, 'x'.repeat(10_000)])),
      },
      answer: accepted,
    },
  ],
};
