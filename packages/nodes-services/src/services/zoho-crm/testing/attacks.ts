import { type Attacks, accepted, manyObjects } from '../../../testing/attack.ts';

const many = <T>(entry: (id: number) => T) => Array.from({ length: 100_000 }, (_, id) => entry(id));

export const attacks: Attacks = {
  'zoho-crm': () => [
    {
      name: 'many custom fields',
      parameters: {
        resource: 'contact',
        operation: 'create',
        lastName: 'a',
        additionalFields: { customFields: { customFields: many((id) => ({ fieldId: `f${id}`, value: 'x' })) } },
      },
      answer: accepted,
    },
    {
      name: 'many products',
      parameters: {
        resource: 'invoice',
        operation: 'create',
        subject: 'a',
        productDetails: many((id) => ({ id, quantity: 1, list_price: 2 })),
        additionalFields: { Due_Date: '2026-01-31' },
      },
      answer: accepted,
    },
    {
      name: 'many fields of a module',
      parameters: { resource: 'lead', operation: 'getAll', options: {} },
      answer: () => `{"fields":${manyObjects(300_000)},"data":${manyObjects(100_000)}}`,
    },
  ],
};
