import { type Attacks, accepted, columns, manyObjects } from '../../../testing/attack.ts';

const many = <T>(entry: (id: number) => T) => Array.from({ length: 100_000 }, (_, id) => entry(id));
const [large = {}] = [Object.assign({}, ...columns(100_000))];
const record = { resource: 'tableRecord', operation: 'create', tableName: 'a' };

export const attacks: Attacks = {
  'service-now': () => [
    { name: 'many fields of the item', parameters: { ...record, dataToSend: 'mapInput' }, items: [large], answer: accepted },
    {
      name: 'many columns',
      parameters: {
        ...record,
        dataToSend: 'columns',
        fieldsToSend: { field: many((id) => ({ column: `c${id}`, value: 'x' })) },
      },
      answer: accepted,
    },
    {
      name: 'many names of fields',
      parameters: {
        resource: 'incident',
        operation: 'getAll',
        returnAll: true,
        options: { sysparm_fields: many((id) => `f${id}`), sysparm_query: '^'.repeat(1_000_000) },
      },
      answer: () => `{"result":${manyObjects(300_000)}}`,
    },
  ],
};
