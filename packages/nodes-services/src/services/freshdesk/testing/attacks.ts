import { type Attacks, accepted, manyObjects } from '../../../testing/attack.ts';

const many = <T>(entry: (id: number) => T) => Array.from({ length: 100_000 }, (_, id) => entry(id));

export const attacks: Attacks = {
  freshdesk: () => [
    {
      name: 'many custom fields and tags',
      parameters: {
        operation: 'create',
        requesterIdentificationValue: '1',
        options: {
          customFields: { customField: many((id) => ({ name: `f${id}`, value: 'x' })) },
          tags: many((id) => `t${id}`),
        },
      },
      answer: accepted,
    },
    {
      name: 'a long list',
      parameters: { operation: 'getAll', returnAll: true, options: { include: many((id) => `i${id}`) } },
      answer: () => manyObjects(300_000),
    },
  ],
};
