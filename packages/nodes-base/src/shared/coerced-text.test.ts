import { expect, test } from '@jest/globals';
import type { JsonValue } from '@sluice/node-sdk';
import { coercedText, stringOf } from './coerced-text.ts';

const values: JsonValue[] = ['a', '', 0, -0, 1.5, 1e21, true, null, [], [1, [2, null], 'x'], {}, { a: 1 }];

test.each(values)('%j becomes the text that JavaScript makes of it', (value) => {
  expect(stringOf(value)).toBe(String(value));
  expect(coercedText(value)).toBe(String(value ?? ''));
});

test('members of the data are not called', () => {
  for (const hostile of [{ toString: 1, valueOf: 1 }, { toString: null }, { __proto__: null }] as JsonValue[]) {
    expect(stringOf(hostile)).toBe('[object Object]');
    expect(coercedText([hostile])).toBe('[object Object]');
  }
  expect([stringOf(undefined), coercedText(undefined)]).toEqual(['undefined', '']);
});
