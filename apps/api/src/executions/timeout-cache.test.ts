import { describe, expect, test } from '@jest/globals';
import { TimeoutCache, timeoutOf } from './timeout-cache.ts';

describe('timeoutOf', () => {
  test.each([
    [undefined, null],
    [{}, null],
    [{ executionTimeout: 0 }, null],
    [{ executionTimeout: -1 }, null],
    [{ executionTimeout: 1.5 }, 1_500],
    [{ executionTimeout: 1e12 }, 2_147_483_647],
  ])('of %j is %p', (settings, expected) => {
    expect(timeoutOf(settings)).toBe(expected);
  });
});

describe('TimeoutCache', () => {
  test('reads the settings of a graph once, also when they set no limit', async () => {
    const cache = new TimeoutCache();
    let reads = 0;
    const read = async () => {
      reads += 1;
      return undefined;
    };
    for (const _ of [1, 2]) expect(await cache.get('hash', read)).toBeNull();
    expect(reads).toBe(1);
  });
});
