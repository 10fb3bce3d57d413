import { expect, test } from '@jest/globals';
import { placeholdersIn, withArguments } from './placeholders.ts';

test('the first definition of a name is used', () => {
  const defined = ['first', 'second'].map((description) => ({ name: 'a', description }));
  expect(placeholdersIn(['{a} {b}'], [], defined).map(({ schema }) => schema)).toEqual([
    { type: 'string', description: 'first' },
    { type: 'string' },
  ]);
});

// Searching all definitions for each placeholder takes longer than the test timeout.
test('a string may have hundreds of thousands of placeholders', () => {
  const numbers = Array.from({ length: 300_000 }, (_, number) => number);
  const text = numbers.map((number) => `{a${number}}`).join('');
  const defined = numbers.map((number) => ({ name: `b${number}`, description: 'x' }));
  expect(placeholdersIn([text], [], defined)).toHaveLength(numbers.length);
});

test('an argument is encoded once, and a long argument that a template repeats many times is an error', () => {
  let count = 0;
  const encode = (value: unknown) => {
    count += 1;
    return encodeURIComponent(String(value));
  };
  expect(withArguments('{a}/{a}/{b}', { a: 'x y' }, encode)).toBe('x%20y/x%20y/{b}');
  expect(count).toBe(1);
  const long = { a: 'x'.repeat(100_000) };
  expect(() => withArguments('{a}'.repeat(200), long, encode)).toThrow('more than 10485760 characters with these arguments');
});
