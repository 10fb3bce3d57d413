import { expect, test } from '@jest/globals';
import { counted, shortened } from './format.ts';

test('a long string is shortened to its start and its length', () => {
  expect(shortened('abc', 3)).toBe('abc');
  expect(shortened('x'.repeat(2_000), 5)).toBe('xxxxx… (2,000 characters)');
});

test('a count has its noun in the singular or plural', () => {
  expect([0, 1, 12_345].map((count) => counted(count, 'row'))).toEqual(['0 rows', '1 row', '12,345 rows']);
});
