import { type Attacks, accepted } from '../../../testing/attack.ts';

export const attacks: Attacks = {
  zendesk: () => [
    {
      name: 'many custom fields',
      parameters: {
        operation: 'create',
        description: 'a',
        additionalFields: {
          customFieldsUi: { customFieldsValues: Array.from({ length: 100_000 }, (_, id) => ({ id, value: 'x' })) },
        },
      },
      answer: accepted,
    },
  ],
};
