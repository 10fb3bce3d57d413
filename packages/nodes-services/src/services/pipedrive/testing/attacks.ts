import { type Attacks, accepted, manyObjects } from '../../../testing/attack.ts';

const create = { resource: 'person', operation: 'create', name: 'a' };

export const attacks: Attacks = {
  pipedrive: () => [
    {
      name: 'many custom properties',
      parameters: {
        ...create,
        additionalFields: {
          customProperties: { property: Array.from({ length: 100_000 }, (_, id) => ({ name: `p${id}`, value: 'x' })) },
        },
      },
      answer: accepted,
    },
    {
      name: 'a long text of addresses',
      parameters: { ...create, additionalFields: { email: 'a,'.repeat(5_000_000) } },
      answer: accepted,
    },
    {
      name: 'many addresses',
      parameters: { ...create, additionalFields: { email: Array.from({ length: 900_000 }, () => 'a') } },
      answer: accepted,
    },
    {
      name: 'many fields with many options',
      parameters: { resource: 'deal', operation: 'getAll', returnAll: true, resolveProperties: true },
      answer: () => `{"data":[${fieldsWithOptions(200)}]}`,
    },
    {
      name: 'a filter of a long list',
      parameters: { resource: 'person', operation: 'getAll', returnAll: true, additionalFields: { firstChar: 'a' } },
      answer: () => `{"data":${manyObjects(900_000)}}`,
    },
  ],
  'pipedrive-trigger': () => [],
};

const fieldsWithOptions = (count: number): string =>
  Array.from(
    { length: count },
    (_, id) => `{"field_name":"f${id}","field_code":"c${id}","options":[${'{"id":1,"label":"x"},'.repeat(500)}{}]}`,
  ).join();
