import { expect, test } from '@jest/globals';
import { withEntries } from './use-entry-keys.ts';

const [a, b, c] = [{ name: 'a' }, { name: 'b' }, { name: 'c' }];
const empty = { entries: [], keys: [], nextKey: 0 };
const before = withEntries(empty, [a, b, c]);

test('each entry has its own key', () => {
  expect(before.keys).toEqual([0, 1, 2]);
  // the same object twice
  expect(withEntries(empty, [a, a]).keys).toEqual([0, 1]);
});

test.each([
  ['of an earlier entry that was removed', [b, c], [1, 2]],
  ['that were swapped', [b, a, c], [1, 0, 2]],
  ['when one is edited', [a, { name: 'B' }, c], [0, 1, 2]],
  ['when one is added before them', [{ name: 'new' }, a, b, c], [3, 0, 1, 2]],
  ['when another is replaced', [c, { name: 'B' }, a], [2, 1, 0]],
])('entries keep their keys: %s', (_change, entries, keys) => {
  expect(withEntries(before, entries).keys).toEqual(keys);
});

test('a key is not used again for another entry', () => {
  const removed = withEntries(before, [a, b]);
  expect(withEntries(removed, [a, b, { name: 'new' }]).keys).toEqual([0, 1, 3]);
});
