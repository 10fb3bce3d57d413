import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { Logger } from '@sluice/logger';
import type { Count, Counters } from './counters.ts';
import { FallbackCounters } from './fallback-counters.ts';

const buckets = [{ key: 'a', max: 1 }];
const sharedCount: Count = { totalHits: 7, resetTime: new Date() };
const ownCount: Count = { totalHits: 1, resetTime: new Date() };
const own: Counters = { count: async () => [ownCount] };

function set(shared: Counters['count'], redisWatch = { up: true }) {
  const lines: string[] = [];
  const note = (...args: unknown[]) => void lines.push(String(args.at(-1)));
  const logger = { warn: note, info: note } as unknown as Logger;
  return { counters: new FallbackCounters({ shared: { count: shared }, own, redisWatch, logger }), lines };
}

describe('FallbackCounters', () => {
  afterEach(() => void jest.useRealTimers());

  test('counts locally while Redis is down, and logs that once', async () => {
    const redisWatch = { up: false };
    const { counters, lines } = set(async () => [sharedCount], redisWatch);
    for (let i = 0; i < 3; i++) expect(await counters.count(buckets)).toEqual([ownCount]);
    expect(lines).toEqual(['rate limits are counted by this process alone']);
    redisWatch.up = true;
    expect(await counters.count(buckets)).toEqual([sharedCount]);
    expect(lines).toHaveLength(2);
  });

  test('counts locally when Redis returns an error', async () => {
    const { counters } = set(() => Promise.reject(new Error('Connection is closed')));
    expect(await counters.count(buckets)).toEqual([ownCount]);
  });

  test('waits at most half a second for Redis', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    const { counters } = set(() => new Promise(() => undefined));
    const response = jest.fn();
    void counters.count(buckets).then(response);
    await jest.advanceTimersByTimeAsync(499);
    expect(response).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(1);
    for (let turns = 0; turns < 3; turns++) await setImmediate(); // time in which a late response would be read
    expect(response).toHaveBeenCalledWith([ownCount]);
  });
});
