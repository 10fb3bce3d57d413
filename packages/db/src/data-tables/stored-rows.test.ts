import { expect, test } from '@jest/globals';
import type { DataTable } from './data-table.ts';
import { toStored } from './stored-rows.ts';

test('columns are found by lookup, not by a search for each value', () => {
  let reads = 0;
  const columns = Array.from({ length: 200 }, (_, index) => ({
    id: `c${index}`,
    get name() {
      reads += 1;
      return `n${index}`;
    },
    type: 'number' as const,
  }));
  const table = { columns } as Partial<DataTable> as DataTable;
  const values = Object.fromEntries(columns.map((_, index) => [`n${index}`, index]));
  for (let row = 0; row < 50; row += 1) expect(toStored(table, values, '/data')['c199']).toBe(199);
  expect(reads).toBeLessThan(2 * 50 * columns.length);
  expect(() => toStored(table, { constructor: 1 }, '/data')).toThrow('the data table has no column "constructor"');
});
