import { type Attacks, manyObjects } from '../../../testing/attack.ts';

const list = { resource: 'contact', operation: 'getAll', returnAll: true, fields: ['*'], options: {} };

export const attacks: Attacks = {
  'google-contacts': () => [
    { name: 'many contacts', parameters: list, answer: () => `{"connections":${manyObjects(300_000)}}` },
    {
      name: 'a contact with many addresses',
      parameters: { resource: 'contact', operation: 'get', contactId: 'c1', fields: ['*'] },
      answer: () => `{"resourceName":"people/c1","emailAddresses":${manyObjects(500_000)}}`,
    },
    {
      name: 'many found contacts',
      parameters: { ...list, useQuery: true, query: 'x' },
      answer: () => `{"results":${manyObjects(500_000)}}`,
    },
  ],
};
