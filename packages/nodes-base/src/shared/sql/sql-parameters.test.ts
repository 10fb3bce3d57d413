import { expect, test } from '@jest/globals';
import { longestBusy } from '@sluice/test-support';
import { splitByMatch } from './sql-parameters.ts';
import type { ColumnValue } from './sql-statements.ts';

test('columns are split in the order of the match columns and of the values', () => {
  const values: ColumnValue[] = [
    ['a', 1],
    ['b', 2],
    ['c', 3],
    ['d', 4],
  ];
  expect(splitByMatch({ values, matchOn: ['d', 'b'] }, 0)).toEqual({
    find: [
      ['d', 4],
      ['b', 2],
    ],
    change: [
      ['a', 1],
      ['c', 3],
    ],
  });
  expect(() => splitByMatch({ values, matchOn: ['e'] }, 0)).toThrow('"e", has no value');
});

test('many columns are split in linear time', async () => {
  const values = Array.from({ length: 30_000 }, (_, index): ColumnValue => [`column ${index}`, index]);
  const matchOn = values.map(([name]) => name);
  expect(await longestBusy(() => splitByMatch({ values, matchOn }, 0))).toBeLessThan(250);
});
