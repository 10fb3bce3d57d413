import { expect, test } from '@jest/globals';
import { diffJson } from './diff-json.ts';

test('a difference names its path and the values of both sides', () => {
  expect(diffJson({ a: [1, 2], b: 1 }, { a: [1, 3], c: 2 })).toEqual([
    { path: '$.a[1]', left: 2, right: 3 },
    { path: '$.b', left: 1 },
    { path: '$.c', right: 2 },
  ]);
  expect(diffJson({ a: [1] }, { a: { 0: 1 } }, { root: '' })).toEqual([{ path: 'a', left: [1], right: { 0: 1 } }]);
  expect(diffJson({ a: 1 }, { a: 1 })).toEqual([]);
  expect(diffJson({}, { constructor: 1 })).toEqual([{ path: '$.constructor', right: 1 }]);
  expect(diffJson(Array(50).fill(1), Array(50).fill(2), { limit: 10 })).toHaveLength(10);
});
