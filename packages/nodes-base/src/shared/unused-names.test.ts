import { expect, test } from '@jest/globals';
import { UnusedNames } from './unused-names.ts';

const numbered = (name: string, count: number) => `${name}_${count}`;
const uniqueNames = (names: readonly string[]) => {
  const unused = new UnusedNames(numbered);
  return names.map((name) => unused.take(name));
};

test('a name that is already used gets a number, and a numbered name may already be used too', () => {
  expect(uniqueNames(['a', 'a_1', 'a', 'a', 'a_1'])).toEqual(['a', 'a_1', 'a_2', 'a_3', 'a_1_1']);
});

test('a hundred thousand equal names take linear time', () => {
  const names = uniqueNames(Array.from({ length: 100_000 }, () => 'a'));
  expect(new Set(names).size).toBe(100_000);
  expect(names.at(-1)).toBe('a_99999');
});
