import { expect, test } from '@jest/globals';
import { ReadCache } from './read-cache.ts';

test('callers share a read and its result until it is too old', async () => {
  let time = 0;
  let reads = 0;
  const cache = new ReadCache<number>({ ms: 1_000, now: () => time });
  const get = () => cache.get('key', async () => ++reads);
  expect(await Promise.all([get(), get()])).toEqual([1, 1]);
  time = 999;
  expect([await get(), await cache.get('other', async () => 7)]).toEqual([1, 7]);
  time = 1_000;
  expect(await get()).toBe(2);
});

test('a failed read is not kept', async () => {
  const cache = new ReadCache<string>({ ms: 1_000 });
  await expect(cache.get('key', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect(await cache.get('key', async () => 'back')).toBe('back');
});
