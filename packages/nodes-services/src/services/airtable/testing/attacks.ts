import { type Attacks, accepted, large, located, manyObjects, mapped } from '../../../testing/attack.ts';

const table = { base: located('app1'), table: located('T', 'name') };

export const attacks: Attacks = {
  airtable: () => [
    {
      name: 'a large record',
      parameters: { ...table, operation: 'create', columns: mapped },
      items: [large()],
      answer: accepted,
    },
    {
      name: 'a long list for a column',
      parameters: {
        ...table,
        operation: 'create',
        columns: { mappingMode: 'defineBelow', value: { a: manyObjects(4_000_000) }, schema: [{ id: 'a', type: 'array' }] },
      },
      answer: accepted,
    },
  ],
  'airtable-trigger': () => [
    {
      name: 'many new records',
      parameters: { baseId: 'app1', tableId: 'T', triggerField: 'at', additionalFields: {} },
      cursor: { at: 1, ids: [] },
      answer: () => `{"records":[${newRecords(280_000).join()}]}`,
    },
  ],
};

function newRecords(count: number): string[] {
  return Array.from(
    { length: count },
    (_, id) => `{"id":"${id}","fields":{"at":"${new Date((id * 7_919_000) % 1e12).toISOString()}"}}`,
  );
}
