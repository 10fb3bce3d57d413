import { expect, test } from '@jest/globals';
import type { Item } from '@sluice/node-sdk';
import { refuseAbsentFields } from './present-fields.ts';

const items: Item[] = [{ json: {} }, { json: { id: null, user: { id: 1 } } }];

test('a field that one item has is sufficient, even if it is null', () => {
  expect(() => refuseAbsentFields(items, [['id'], ['user', 'id']], 'input 1')).not.toThrow();
});

test('the error for a field that no item has contains the field and its input', () => {
  const check = () => refuseAbsentFields(items, [['id'], ['user', 'name']], 'input 2');
  expect(check).toThrow('no item of input 2 has the field "user.name"');
});

test('an input without items is not checked', () => {
  expect(() => refuseAbsentFields([], [['id']], 'input 1')).not.toThrow();
});
