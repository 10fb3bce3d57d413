import { expect, test } from '@jest/globals';
import { shortened } from './format.ts';

test('a long text is shortened to its start and its length', () => {
  expect(shortened('abc', 3)).toBe('abc');
  expect(shortened('x'.repeat(2_000), 5)).toBe('xxxxx… (2,000 characters)');
});
