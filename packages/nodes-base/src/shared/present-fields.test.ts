import { expect, test } from '@jest/globals';
import type { Item } from '@sluice/node-sdk';
import { refuseAbsentFields } from './present-fields.ts';

const items: Item[] = [{ json: {} }, { json: { id: null, user: { id: 1 } } }];

test('a field that one item has is enough, also where it is null', () => {
  expect(() => refuseAbsentFields(items, [['id'], ['user', 'id']], 'input 1')).not.toThrow();
});

test('a field that no item has is named, with its input', () => {
  const check = () => refuseAbsentFields(items, [['id'], ['user', 'name']], 'input 2');
  expect(check).toThrow('no item of input 2 has the field "user.name"');
});

test('an input without items has nothing to be asked for', () => {
  expect(() => refuseAbsentFields([], [['id']], 'input 1')).not.toThrow();
});
