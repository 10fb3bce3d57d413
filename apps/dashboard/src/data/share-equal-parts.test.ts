import { expect, test } from '@jest/globals';
import { shareEqualParts } from './share-equal-parts.ts';

const runDataOf = (name: string, runs: number) => JSON.parse(`{"a": {"x": [1]}, "runData": {"${name}": [${runs}]}}`);

test('equal parts of a result stay the same objects', () => {
  const [before, after] = [runDataOf('N', 1), runDataOf('N', 2)];
  const shared = shareEqualParts(before, after) as typeof after;
  expect(shared).toEqual(after);
  expect(shared.a).toBe(before.a);
});

test('a result keeps the key __proto__', () => {
  const shared = shareEqualParts(runDataOf('N', 1), runDataOf('__proto__', 1)) as { runData: object };
  expect(Object.entries(shared.runData)).toEqual([['__proto__', [1]]]);
  const unchanged = shareEqualParts(runDataOf('__proto__', 1), runDataOf('__proto__', 2)) as { runData: object };
  expect(Object.entries(unchanged.runData)).toEqual([['__proto__', [2]]]);
});
