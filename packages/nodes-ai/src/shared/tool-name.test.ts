import { expect, test } from '@jest/globals';
import type { Tool } from '@sluice/node-sdk';
import { uniquelyNamed } from './tool-name.ts';

const named = (name: string): Tool => ({ name, description: '', inputSchema: {}, run: async () => '' });
const namesOf = (...names: string[]) => uniquelyNamed(names.map(named)).map(({ name }) => name);

test('a repeated name gets the first number that is free', () => {
  expect(namesOf('a', 'a', 'a_3', 'a', 'a')).toEqual(['a', 'a_2', 'a_3', 'a_4', 'a_5']);
  const long = 'x'.repeat(64);
  expect(namesOf(long, `${long}y`, long)).toEqual([long, `${'x'.repeat(59)}_2`, `${'x'.repeat(59)}_3`]);
});

// Counting from 2 for each tool takes longer than the test timeout.
test('thousands of tools may have the same name', () => {
  const names = namesOf(...Array.from({ length: 40_000 }, () => 'x'.repeat(64)));
  expect(new Set(names).size).toBe(40_000);
});
