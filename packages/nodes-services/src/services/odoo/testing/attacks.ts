import type { Attacks } from '../../../testing/attack.ts';

const many = <T>(entry: (id: number) => T) => Array.from({ length: 100_000 }, (_, id) => entry(id));
const custom = { resource: 'custom', customResource: 'sale.order' };
/** The user ID of a login, which other calls ignore. */
const answer = () => '{"jsonrpc":"2.0","id":1,"result":7}';

export const attacks: Attacks = {
  odoo: () => [
    {
      name: 'many fields',
      parameters: {
        ...custom,
        operation: 'create',
        fieldsToCreateOrUpdate: { fields: many((id) => ({ fieldName: `f${id}`, fieldValue: '1' })) },
      },
      answer,
    },
    {
      name: 'many filters',
      parameters: {
        ...custom,
        operation: 'getAll',
        filterRequest: { filter: many((id) => ({ fieldName: `f${id}`, operator: 'in', value: '1,2' })) },
      },
      answer,
    },
    {
      name: 'long text as a number and as a list',
      parameters: {
        ...custom,
        operation: 'create',
        fieldsToCreateOrUpdate: {
          fields: [
            { fieldName: 'a', fieldValue: '1'.repeat(5_000_000) },
            { fieldName: 'b', fieldValue: `[${' '.repeat(5_000_000)}` },
          ],
        },
      },
      answer,
    },
    {
      name: 'a filter of many values',
      parameters: {
        ...custom,
        operation: 'getAll',
        filterRequest: { filter: [{ fieldName: 'a', operator: 'in', value: '1,'.repeat(1_000_000) }] },
      },
      answer,
    },
  ],
};
