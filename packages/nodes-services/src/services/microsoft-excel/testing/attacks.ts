import type { JsonObject } from '@sluice/node-sdk';
import { type Attack, type Attacks, columns, large, located } from '../../../testing/attack.ts';

const place = { workbook: located('w'), worksheet: located('s'), table: located('t') };
const excel = (name: string, parameters: JsonObject, values: string, items?: JsonObject[]): Attack => ({
  name,
  parameters: { ...place, ...parameters },
  ...(items && { items }),
  answer: () => `{"rowIndex":0,"columnIndex":0,"values":${values},"value":[{"name":"a"}]}`,
});
const sheet = (operation: string) => ({ resource: 'worksheet', operation, dataMode: 'autoMap', columnToMatchOn: 'a' });
const rows = (count: number): JsonObject[] => Array.from({ length: count }, (_, id) => ({ a: `x${id}`, b: 1 }));

export const attacks: Attacks = {
  'microsoft-excel': () => [
    excel('many rows', sheet('readRows'), `[["a"]${',["x"]'.repeat(300_000)}]`),
    excel('one name for all columns', sheet('readRows'), `[[${'"a",'.repeat(16_000)}"a"],["x"]]`),
    excel('a column for each item', sheet('append'), '[[""]]', columns(30_000)),
    excel('a large item', sheet('append'), '[["a"]]', [large()]),
    excel('many changed rows', sheet('update'), `[["a"]${',["x1"]'.repeat(200_000)}]`, rows(20_000)),
    excel('many added rows', sheet('upsert'), `[["a","b"]${',["x",1]'.repeat(200_000)}]`, rows(20_000)),
    excel(
      'all rows for each item',
      { ...sheet('update'), options: { updateAll: true } },
      `[["a"]${',["x1"]'.repeat(100_000)}]`,
      Array.from({ length: 300 }, () => ({ a: 'x1' })),
    ),
    excel('many rows of a table', { resource: 'table', operation: 'append', dataMode: 'autoMap' }, '[]', rows(20_000)),
  ],
};
