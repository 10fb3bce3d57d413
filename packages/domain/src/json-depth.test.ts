import { expect, test } from '@jest/globals';
import { exceedsDepth } from './json-depth.ts';

test('nesting is counted, brackets inside strings are not', () => {
  expect(exceedsDepth('[[1],{"a":[2]}]', 3)).toBe(false);
  expect(exceedsDepth('[[1],{"a":[2]}]', 2)).toBe(true);
  expect(exceedsDepth('["[[[[","\\"[[[[","\\\\"]', 1)).toBe(false);
});
