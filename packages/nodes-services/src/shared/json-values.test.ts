import { expect, test } from '@jest/globals';
import type { JsonValue } from '@sluice/node-sdk';
import { asText, commaSeparated, hasSameTexts } from './json-values.ts';

/** JSON objects that a conversion by `String` cannot convert. */
const unconvertible = ['{"toString":1}', '{"toString":null,"valueOf":null}'].map((json): JsonValue => JSON.parse(json));

test.each(unconvertible)('the text of an object is its JSON, whatever its members are: %j', (value) => {
  expect(asText(value)).toBe(JSON.stringify(value));
  expect(hasSameTexts([value], ['a'])).toBe(false);
});

test('a text is split at commas, and so is each entry of a list', () => {
  expect(commaSeparated('a,b')).toEqual(['a', 'b']);
  expect(commaSeparated(['a,b', 'c', 1])).toEqual(['a', 'b', 'c', '1']);
  expect(commaSeparated(undefined)).toEqual(['']);
});
