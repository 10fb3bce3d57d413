import { type Attacks, accepted } from '../../../testing/attack.ts';

export const attacks: Attacks = {
  freshdesk: () => [
    {
      name: 'many custom fields',
      parameters: {
        additionalFields: {
          email: 'a@a.test',
          custom_fields: { field: Array.from({ length: 100_000 }, (_, index) => ({ name: `cf_${index}`, value: 'x' })) },
        },
      },
      answer: accepted,
    },
  ],
};
