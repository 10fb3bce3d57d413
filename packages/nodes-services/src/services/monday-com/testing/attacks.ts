import { type Attacks, accepted, manyObjects } from '../../../testing/attack.ts';

export const attacks: Attacks = {
  'monday-com': () => [
    {
      name: 'a long update',
      parameters: { resource: 'boardItem', operation: 'addUpdate', itemId: '1', value: '"'.repeat(15_000_000) },
      answer: accepted,
    },
    {
      name: 'many column values',
      parameters: { resource: 'boardItem', operation: 'get', itemId: '1' },
      answer: () => `{"data":{"items":[{"id":"1","column_values":${manyObjects(200_000)}}]}}`,
    },
    {
      name: 'many items',
      parameters: { resource: 'boardItem', operation: 'getAll', boardId: '1', returnAll: true },
      answer: () => `{"data":{"boards":[{"items_page":{"items":${manyObjects(200_000)}}}]}}`,
    },
  ],
};
