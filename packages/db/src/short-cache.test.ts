import { describe, expect, test } from '@jest/globals';
import { ShortCache } from './short-cache.ts';

describe('ShortCache', () => {
  test('drops expired entries', () => {
    let now = 0;
    const cache = new ShortCache<number>({ ms: 100, now: () => now });
    cache.set('a', 1);
    now = 99;
    expect(cache.get('a')).toBe(1);
    now = 100;
    expect(cache.get('a')).toBeUndefined();
  });

  test('keeps only the newest entries, up to a limit', () => {
    const cache = new ShortCache<number>({ ms: 100, now: () => 0 });
    for (let i = 0; i <= 2_000; i++) cache.set(String(i), i);
    expect(cache.get('0')).toBeUndefined();
    expect(cache.get('2000')).toBe(2_000);
  });
});
