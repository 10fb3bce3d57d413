import { expect, test } from '@jest/globals';
import { longestBusy } from '@sluice/test-support';
import { sortSliced } from './index.ts';

test.each([0, 1, 4_095, 4_096, 4_097, 20_000])('a list of %i is sorted as toSorted sorts it, and stably', async (length) => {
  const list = Array.from({ length }, (_, position) => ({ key: (position * 7_919) % 101, position }));
  const byKey = (a: { key: number }, b: { key: number }) => a.key - b.key;
  expect(await sortSliced(list, byKey)).toEqual(list.toSorted(byKey));
});

test('a million elements never block the event loop', async () => {
  const list = Array.from({ length: 1_000_000 }, (_, i) => `${(i * 7_919) % 999_983}`);
  expect(await longestBusy(() => sortSliced(list, (a, b) => (a < b ? -1 : Number(a > b))))).toBeLessThan(250);
});
