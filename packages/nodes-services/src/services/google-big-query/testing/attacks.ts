import { type Attacks, columns, manyObjects } from '../../../testing/attack.ts';

const query = { projectId: 'p', sqlQuery: 'x' };
const table = { operation: 'insert', projectId: 'p', datasetId: 'd', tableId: 't' };
const manyFields = (count: number) =>
  `[${Array.from({ length: count }, (_, id) => `{"name":"c${id}","type":"STRING"}`).join()}]`;

export const attacks: Attacks = {
  'google-big-query': () => [
    {
      name: 'many rows',
      parameters: query,
      answer: () => `{"jobComplete":true,"schema":{"fields":[{"name":"a"}]},"rows":${manyObjects(900_000)}}`,
    },
    {
      name: 'many columns',
      parameters: query,
      answer: () => `{"jobComplete":true,"schema":{"fields":${manyFields(10_000)}},"rows":${manyObjects(100)}}`,
    },
    { name: 'many items', parameters: table, items: columns(50_000), answer: () => '{}' },
    { name: 'many errors', parameters: table, answer: () => `{"insertErrors":${manyObjects(900_000)}}` },
  ],
};
