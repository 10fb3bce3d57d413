import { expect, test } from '@jest/globals';
import { failedItem, isFailedItem } from './failed-item.ts';

test('a failed item is recognized, and its mark is not part of its data', () => {
  const item = failedItem(new Error('no such row'), 2);
  expect(isFailedItem(item)).toBe(true);
  expect(item).toEqual({ json: { error: 'no such row' }, pairedItem: { item: 2 } });
  expect(JSON.parse(JSON.stringify(item))).toEqual({ json: { error: 'no such row' }, pairedItem: { item: 2 } });
});

test('it may contain more than the message', () => {
  expect(failedItem(new Error('no'), 0, { message: 'no', status: 404 }).json).toEqual({
    error: { message: 'no', status: 404 },
  });
});

test('an item that only looks like one is not a failed item', () => {
  expect(isFailedItem({ json: { error: 'a field of the user' } })).toBe(false);
});
