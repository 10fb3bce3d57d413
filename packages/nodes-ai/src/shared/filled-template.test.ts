import { expect, test } from '@jest/globals';
import { filled } from './filled-template.ts';

test('names in braces are replaced by their values; other text is unchanged', () => {
  expect(filled('{a} {b} {toString} {a}', { a: '{b}', b: '' })).toBe('{b}  {toString} {b}');
});

test('a long value that a template repeats many times is an error', () => {
  expect(() => filled('{text}'.repeat(1_000), { text: 'x'.repeat(100_000) })).toThrow(
    'the prompt has more than 67108864 characters',
  );
});
