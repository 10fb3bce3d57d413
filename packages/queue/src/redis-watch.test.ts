import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { eventually } from '@sluice/test-support';
import { RedisWatch } from './redis-watch.ts';

let failure: string | undefined;
let probes = 0;
/** Replies in a later turn of the event loop, like a socket. */
const redis = {
  status: 'ready',
  async probe() {
    probes += 1;
    if (failure !== undefined) throw new Error(failure);
    await new Promise((resolve) => setImmediate(resolve));
  },
};

let watch: RedisWatch;
afterEach(() => {
  watch.close();
  failure = undefined;
  probes = 0;
});

test.each([
  ['Command timed out', 'redis cannot be reached'],
  ["OOM command not allowed when used memory > 'maxmemory'.", 'redis accepts no writes'],
  ['NOAUTH Authentication required.', 'redis cannot be reached'],
])('an outage of Redis and its end are detected: %s', async (error, problem) => {
  let notified = 0;
  watch = new RedisWatch(redis, () => {
    notified += 1;
  });
  failure = error;
  await eventually(() => watch.lost.aborted);
  expect([notified, watch.up, watch.problem]).toEqual([1, false, problem]);
  failure = undefined;
  await eventually(() => watch.up && !watch.lost.aborted);
  expect(notified).toBe(1);
});

test('a lost probe on a busy event loop is not an outage', async () => {
  watch = new RedisWatch(redis, () => {
    throw new Error('not lost');
  });
  failure = 'Command timed out';
  await eventually(() => probes > 0);
  failure = undefined;
  const until = performance.now() + 2_000;
  while (performance.now() < until); // all timers of the watch are due now
  const before = probes;
  await eventually(() => probes > before + 1);
  await delay(50);
  expect(watch.lost.aborted).toBe(false);
});
