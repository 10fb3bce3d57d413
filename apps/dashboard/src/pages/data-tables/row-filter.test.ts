import { describe, expect, test } from '@jest/globals';
import type { DataColumn } from './data-table-queries.ts';
import { conditionsOf, parseCell, parseRowFilter, parseSort } from './row-filter.ts';

const columns: DataColumn[] = [
  { id: '1', name: 'email', type: 'string' },
  { id: '2', name: 'age', type: 'number' },
  { id: '3', name: 'active', type: 'boolean' },
];

test('the order uses a known column; unknown columns were renamed or deleted', () => {
  expect(parseSort('age:desc', columns)).toBe('age:desc');
  expect(parseSort('updatedAt:asc', columns)).toBe('updatedAt:asc');
  expect(parseSort('years:asc', columns)).toBeUndefined();
  expect(parseSort('age', columns)).toBeUndefined();
});

describe('the row filter', () => {
  test('is complete, and has a known column and a value of its type', () => {
    expect(parseRowFilter({ column: 'age', condition: 'gt', value: '18' }, columns)).toEqual({
      columnName: 'age',
      condition: 'gt',
      value: 18,
    });
    expect(parseRowFilter({ column: 'active', condition: 'isTrue' }, columns)).toEqual({
      columnName: 'active',
      condition: 'isTrue',
    });
    for (const bad of [
      {},
      { column: 'age', condition: 'gt', value: 'old' },
      { column: 'age', condition: 'gt' },
      { column: 'age', condition: 'isTrue' },
      { column: '__proto__', condition: 'eq', value: '1' },
    ]) {
      expect(parseRowFilter(bad, columns)).toBeUndefined();
    }
  });

  test('treats the characters of a search literally', () => {
    expect(parseRowFilter({ column: 'email', condition: 'ilike', value: '50%_' }, columns)?.value).toBe('%50\\%\\_%');
  });

  test('offers the conditions for a type', () => {
    expect(conditionsOf('boolean').map(({ value }) => value)).toEqual(['isEmpty', 'isNotEmpty', 'isTrue', 'isFalse']);
  });
});

describe('the text of a cell', () => {
  test.each([
    ['', 'string', null],
    ['7.5', 'number', 7.5],
    ['seven', 'number', undefined],
    ['true', 'boolean', true],
    ['2026-11-28T03:00:00Z', 'date', '2026-11-28T03:00:00.000Z'],
    ['never', 'date', undefined],
  ] as const)('%p as %s is %p', (text, type, value) => {
    expect(parseCell(text, type)).toEqual(value);
  });
});
