import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { eventually } from '@sluice/test-support';
import type { Redis } from 'ioredis';
import { RedisWatch } from './redis-watch.ts';

let isAway = false;
let pings = 0;
/** Replies in a later turn of the event loop, like a socket. */
const redis = {
  status: 'ready',
  async ping() {
    pings += 1;
    if (isAway) throw new Error('away');
    await new Promise((resolve) => setImmediate(resolve));
    return 'PONG';
  },
} as unknown as Redis;

let watch: RedisWatch;
afterEach(() => {
  watch.close();
  isAway = false;
  pings = 0;
});

test('an outage of Redis and its end are detected', async () => {
  let notified = 0;
  watch = new RedisWatch(redis, () => {
    notified += 1;
  });
  isAway = true;
  await eventually(() => watch.lost.aborted);
  expect([notified, watch.up]).toEqual([1, false]);
  isAway = false;
  await eventually(() => watch.up && !watch.lost.aborted);
  expect(notified).toBe(1);
});

test('a lost ping on a busy event loop is not an outage', async () => {
  watch = new RedisWatch(redis, () => {
    throw new Error('not lost');
  });
  isAway = true;
  await eventually(() => pings > 0);
  isAway = false;
  const until = performance.now() + 2_000;
  while (performance.now() < until); // all timers of the watch are due now
  const before = pings;
  await eventually(() => pings > before + 1);
  await sleep(50);
  expect(watch.lost.aborted).toBe(false);
});
