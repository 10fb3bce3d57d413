import { expect, test } from '@jest/globals';
import { placeholdersIn } from './placeholders.ts';

test('the first definition of a name counts', () => {
  const defined = ['first', 'second'].map((description) => ({ name: 'a', description }));
  expect(placeholdersIn(['{a} {b}'], [], defined).map(({ schema }) => schema)).toEqual([
    { type: 'string', description: 'first' },
    { type: 'string' },
  ]);
});

// Looking through all definitions for each placeholder takes longer than the limit of a test.
test('a text may have hundreds of thousands of placeholders', () => {
  const numbers = Array.from({ length: 300_000 }, (_, number) => number);
  const text = numbers.map((number) => `{a${number}}`).join('');
  const defined = numbers.map((number) => ({ name: `b${number}`, description: 'x' }));
  expect(placeholdersIn([text], [], defined)).toHaveLength(numbers.length);
});
