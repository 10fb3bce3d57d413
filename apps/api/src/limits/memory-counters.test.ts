import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { MemoryCounters } from './memory-counters.ts';

const inMs = (ms: number) => new Date(Date.now() + ms);

describe('MemoryCounters', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  test('counts in windows that the first request begins', async () => {
    const counters = new MemoryCounters({ windowMs: 1_000 });
    jest.advanceTimersByTime(500); // the clock of the sweep does not begin a window
    const bucket = { key: 'a', max: 10 };
    expect(await counters.count([bucket])).toEqual([{ totalHits: 1, resetTime: inMs(1_000) }]);
    jest.advanceTimersByTime(400);
    expect(await counters.count([bucket])).toEqual([{ totalHits: 2, resetTime: inMs(600) }]);
    jest.advanceTimersByTime(600);
    expect(await counters.count([bucket])).toEqual([{ totalHits: 1, resetTime: inMs(1_000) }]);
  });

  test('does not count in buckets after a full one', async () => {
    const counters = new MemoryCounters({ windowMs: 1_000 });
    const full = { key: 'full', max: 0 };
    const next = { key: 'next', max: 5 };
    expect(await counters.count([full, next])).toHaveLength(1);
    expect(await counters.count([next])).toEqual([{ totalHits: 1, resetTime: inMs(1_000) }]);
  });

  test('counts concurrent requests separately', async () => {
    const counters = new MemoryCounters({ windowMs: 1_000 });
    const bucket = { key: 'a', max: 10 };
    const counts = await Promise.all([counters.count([bucket]), counters.count([bucket])]);
    expect(counts.flat().map(({ totalHits }) => totalHits)).toEqual([1, 2]);
  });

  test('keeps a bounded number of buckets, the newest', async () => {
    const counters = new MemoryCounters({ windowMs: 1_000 });
    for (let i = 0; i <= 50_000; i++) await counters.count([{ key: String(i), max: 1 }]);
    expect((await counters.count([{ key: '50000', max: 1 }]))[0]?.totalHits).toBe(2);
    expect((await counters.count([{ key: '0', max: 1 }]))[0]?.totalHits).toBe(1);
  });
});
