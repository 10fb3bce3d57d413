import { expect, test } from '@jest/globals';
import { VariableCache } from './variable-cache.ts';

test('variables are cached for a few seconds', async () => {
  let time = 0;
  let value = 0;
  const cache = new VariableCache({ values: async () => ({ a: String(++value) }) }, () => time);
  const results = await Promise.all([cache.get(), cache.get()]);
  time = 4_999;
  expect([...results, await cache.get()].map(({ a }) => a)).toEqual(['1', '1', '1']);
  time = 5_000;
  expect(await cache.get()).toEqual({ a: '2' });
});

test('a failed read is not cached', async () => {
  const results = [Promise.reject(new Error('away')), Promise.resolve({})];
  const cache = new VariableCache({ values: () => results.shift() as Promise<Record<string, string>> }, () => 0);
  await expect(cache.get()).rejects.toThrow('away');
  expect(await cache.get()).toEqual({});
});
