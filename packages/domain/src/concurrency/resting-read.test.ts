import { beforeEach, describe, expect, test } from '@jest/globals';
import { RestingRead } from './resting-read.ts';

let now: number;
let reads: number;
let durationMs: number;
let failure: Error | undefined;
beforeEach(() => {
  [now, reads, durationMs, failure] = [0, 0, 0, undefined];
});

const aRead = (minRestMs?: number) =>
  new RestingRead({
    restFactor: 10,
    ...(minRestMs !== undefined && { minRestMs }),
    now: () => now,
    async read() {
      reads += 1;
      now += durationMs;
      await Promise.resolve();
      if (failure) throw failure;
    },
  });

describe('a resting read', () => {
  test('is infinitely old and does not rest before the first read', () => {
    expect(aRead(100)).toMatchObject({ ageMs: Number.POSITIVE_INFINITY, isResting: false });
  });

  test('rests for a multiple of its duration', async () => {
    const restingRead = aRead();
    durationMs = 20;
    await restingRead.repeat();
    expect(restingRead).toMatchObject({ ageMs: 0, isResting: true });
    now += 199;
    expect(restingRead).toMatchObject({ ageMs: 199, isResting: true });
    now += 1;
    expect(restingRead.isResting).toBe(false);
  });

  test('rests for the minimum after a fast read', async () => {
    const restingRead = aRead(250);
    durationMs = 1;
    await restingRead.repeat();
    now += 249;
    expect(restingRead.isResting).toBe(true);
    now += 1;
    expect(restingRead.isResting).toBe(false);
  });

  test('runs once for concurrent requests', async () => {
    const restingRead = aRead();
    await Promise.all([restingRead.repeat(), restingRead.repeat()]);
    expect(reads).toBe(1);
    await restingRead.repeat();
    expect(reads).toBe(2);
  });

  test('fails for all concurrent requests, and then does not count as read or rest', async () => {
    failure = new Error('down');
    const restingRead = aRead(100);
    const results = await Promise.allSettled([restingRead.repeat(), restingRead.repeat()]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(restingRead).toMatchObject({ ageMs: Number.POSITIVE_INFINITY, isResting: false });
  });
});
