import { expect, test } from '@jest/globals';
import { compileUserRegex, compileUserReplacer } from './user-regex.ts';

test.each([
  ['^a+$', 'aaa', true],
  ['^a+$', 'AAA', false],
  ['/^a+$/i', 'AAA', true],
  ['/^b$/m', 'a\nb', true],
  ['/a.b/s', 'a\nb', true],
  ['\\u00e4\\d', 'ä1', true],
  ['(?<year>\\d{4})', 'in 2024', true],
  ['^/x/', '/x/y', true],
])('%s on %j: %s', (pattern, text, isMatch) => {
  expect(compileUserRegex(pattern, 'the test', false)(text)).toBe(isMatch);
});

test('ignores case without a flag', () => {
  expect(compileUserRegex('^a$', 'the test', true)('A')).toBe(true);
});

test.each(['[', '(?=a)b', '(a)\\1', '((a{100}){100}){100}', 'a'.repeat(3_000)])(
  'the error for %.20s contains the subject',
  (pattern) => {
    expect(() => compileUserRegex(pattern, 'condition 2', false)).toThrow('condition 2');
  },
);

test('runs a pattern that is catastrophic with backtracking', () => {
  // With backtracking this would not finish.
  expect(compileUserRegex('(a+)+$', 'the test', false)(`${'a'.repeat(50_000)}b`)).toBe(false);
});

test('refuses a large pattern on a long string', () => {
  expect(() => compileUserRegex('(a|b)*a(a|b){900}', 'the test', false)('ab'.repeat(50_000))).toThrow('too long');
});

test.each([
  ['o', '0', 'foo boo', 'f00 b00'],
  ['(\\w)(\\w+)', '$2$1', 'abc de', 'bca ed'],
  ['(?P<first>\\w)\\w*', '$<first>.', 'abc', 'a.'],
  ['b', '[$&]', 'abc', 'a[b]c'],
  ['b', '$$1 $9 $<none>', 'b', '$1 $9 $<none>'],
  ['(b)', '$12 $<none>', 'b', 'b2 $<none>'],
  ['(?<n>b)', '[$<n>$<none>]', 'b', '[b]'],
  ['x*', '-', 'ab', '-a-b-'],
  ['(?:a+)+$', 'x', `${'a'.repeat(5_000)}!`, `${'a'.repeat(5_000)}!`],
])('%s replaced by %s', (pattern, replacement, text, expected) => {
  expect(compileUserReplacer(pattern, replacement, 'the key', false)(text)).toBe(expected);
});

test('replacements that make a string far larger are refused', () => {
  const replace = compileUserReplacer('a', 'b'.repeat(20_000), '"rule 1"', false);
  expect(() => replace('a'.repeat(30_000))).toThrow('the replacements of "rule 1" make a string of more than');
});
