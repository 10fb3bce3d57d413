import { expect, test } from '@jest/globals';
import { tableOfItems } from './table-of-items.ts';

test('an item with long names of nested fields is refused before the names exhaust the memory', async () => {
  const fields = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`f${index}`, index]));
  const items = [{ json: { ['x'.repeat(30_000)]: fields } }];
  await expect(tableOfItems(items)).rejects.toThrow('names of more than 16777216 characters');
});

test('nested fields become columns', async () => {
  const table = await tableOfItems([{ json: { a: { b: 1, c: [true, null] } } }, { json: { d: 'x' } }]);
  expect(table.columns).toEqual(['a.b', 'a.c.0', 'a.c.1', 'd']);
  expect([...table.rows()]).toEqual([
    [1, true, null, null],
    [null, null, null, 'x'],
  ]);
});
