import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Logger } from '@sluice/logger';
import { type Count, type Counters, FallbackCounters, MemoryCounters } from './counters.ts';

const inMs = (ms: number) => new Date(Date.now() + ms);

describe('MemoryCounters', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  test('counts in windows that start with the first request', async () => {
    const counters = new MemoryCounters({ windowMs: 1_000 });
    jest.advanceTimersByTime(500); // the sweep timer does not start a window
    const bucket = { key: 'a', max: 10 };
    expect(await counters.count([bucket])).toEqual([{ totalHits: 1, resetTime: inMs(1_000) }]);
    jest.advanceTimersByTime(400);
    expect(await counters.count([bucket])).toEqual([{ totalHits: 2, resetTime: inMs(600) }]);
    jest.advanceTimersByTime(600);
    expect(await counters.count([bucket])).toEqual([{ totalHits: 1, resetTime: inMs(1_000) }]);
  });

  test('does not count in the buckets after a full one', async () => {
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

  test('keeps only the newest buckets, up to a maximum', async () => {
    const counters = new MemoryCounters({ windowMs: 1_000 });
    for (let i = 0; i <= 50_000; i++) await counters.count([{ key: String(i), max: 1 }]);
    expect((await counters.count([{ key: '50000', max: 1 }]))[0]?.totalHits).toBe(2);
    expect((await counters.count([{ key: '0', max: 1 }]))[0]?.totalHits).toBe(1);
  });
});

const buckets = [{ key: 'a', max: 1 }];
const sharedCount: Count = { totalHits: 7, resetTime: new Date() };
const localCount: Count = { totalHits: 1, resetTime: new Date() };
const local: Counters = { count: async () => [localCount] };

function set(shared: Counters['count'], redisWatch = { up: true }) {
  const lines: string[] = [];
  const note = (...args: unknown[]) => void lines.push(String(args.at(-1)));
  const logger = { warn: note, info: note } as unknown as Logger;
  return { counters: new FallbackCounters({ shared: { count: shared }, local, redisWatch, logger }), lines };
}

describe('FallbackCounters', () => {
  afterEach(() => void jest.useRealTimers());

  test('counts locally while Redis is down, and logs that once', async () => {
    const redisWatch = { up: false };
    const { counters, lines } = set(async () => [sharedCount], redisWatch);
    for (let i = 0; i < 3; i++) expect(await counters.count(buckets)).toEqual([localCount]);
    expect(lines).toEqual(['rate limits are counted by this process alone']);
    redisWatch.up = true;
    expect(await counters.count(buckets)).toEqual([sharedCount]);
    expect(lines).toHaveLength(2);
  });

  test('counts locally when Redis returns an error', async () => {
    const { counters } = set(() => Promise.reject(new Error('Connection is closed')));
    expect(await counters.count(buckets)).toEqual([localCount]);
  });

  test('waits at most half a second for Redis', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    const { counters } = set(() => new Promise(() => undefined));
    const response = jest.fn();
    void counters.count(buckets).then(response);
    await jest.advanceTimersByTimeAsync(499);
    expect(response).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(1);
    for (let turns = 0; turns < 3; turns++) await setImmediate(); // lets a late response be read
    expect(response).toHaveBeenCalledWith([localCount]);
  });
});
