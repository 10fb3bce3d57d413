import { expect, test } from '@jest/globals';
import type { AssignmentType, JsonValue } from '@sluice/node-sdk';
import { longestBusy } from '@sluice/test-support';
import { convertValue } from './convert-value.ts';

test.each<[JsonValue, AssignmentType, JsonValue | undefined]>([
  ['a', 'string', 'a'],
  [5, 'string', '5'],
  [true, 'string', 'true'],
  [{ a: [1] }, 'string', '{"a":[1]}'],
  [' 5.5 ', 'number', 5.5],
  ['1e3', 'number', 1000],
  [true, 'number', 1],
  ['', 'number', undefined],
  ['five', 'number', undefined],
  [[5], 'number', 5],
  [['5'], 'number', 5],
  [[], 'number', 0],
  [[1, 2], 'number', undefined],
  [[true], 'number', undefined],
  [{}, 'number', undefined],
  ['TRUE', 'boolean', true],
  ['0', 'boolean', false],
  [1, 'boolean', true],
  ['-0', 'boolean', false],
  [[1], 'boolean', true],
  ['yes', 'boolean', undefined],
  [' true', 'boolean', undefined],
  ['', 'boolean', undefined],
  [2, 'boolean', undefined],
  [{ toString: 'data' }, 'boolean', undefined],
  [[{ toString: 'data' }], 'boolean', undefined],
  ['[1,2]', 'array', [1, 2]],
  [[1], 'array', [1]],
  ['{"a":1}', 'array', undefined],
  ["['a']", 'array', ['a']],
  ['[1,]', 'array', undefined],
  ['[', 'array', undefined],
  ['{"a":1}', 'object', { a: 1 }],
  ["{a: 1, 'b': [2,],}", 'object', { a: 1, b: [2] }],
  ['{"a":1', 'object', undefined],
  ['null', 'object', null],
  [[1], 'object', undefined],
])('%j as %s is %j', (value, type, expected) => {
  expect(convertValue(value, type)).toEqual(expected);
});

test.each(['boolean', 'number', 'string'] as const)(
  'a member named toString does not prevent the conversion to a %s',
  (type) => {
    for (const value of [{ toString: 1 }, [{ toString: 1 }], [[{ toString: 1 }]]])
      expect(() => convertValue(value, type)).not.toThrow();
  },
);

test('a long string that is not JSON does not block the event loop', async () => {
  let object: JsonValue | undefined;
  const busy = await longestBusy(() => {
    object = convertValue(`{a: [${'1,'.repeat(1_500_000)}]}`, 'object');
  });
  expect(object).toBeUndefined();
  expect(busy).toBeLessThan(250);
});
