import { expect, test } from '@jest/globals';
import type { JsonValue } from './json.ts';
import { valueAt } from './json.ts';

const data = { list: [{ name: 'first' }, { name: 'second' }], text: 'abc' };

test.each<[string, JsonValue | undefined]>([
  ['text', 'abc'],
  ['list.1.name', 'second'],
  ['list.2.name', undefined],
  ['list.', undefined],
  ['list.length', undefined],
  ['list.0x1', undefined],
  ['text.0', undefined],
  ['toString', undefined],
  ['__proto__.toString', undefined],
])('a path reads only own members and elements by their index: %s', (path, value) => {
  expect(valueAt(data, path)).toEqual(value);
});
