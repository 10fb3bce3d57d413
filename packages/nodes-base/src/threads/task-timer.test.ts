import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { startTaskTimer, wallTimeFactor } from './task-timer.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/**
 * Milliseconds after which a task with a limit of a second expires, if its thread gets this share
 * of a processor.
 */
async function expiryOf(share: number): Promise<number> {
  const startedAt = Date.now();
  let expiredAt = 0;
  using _timer = startTaskTimer(
    async () => 5_000 + (Date.now() - startedAt) * share,
    1_000,
    () => {
      expiredAt ||= Date.now() - startedAt;
    },
  );
  await jest.advanceTimersByTimeAsync(1_000 * wallTimeFactor);
  return expiredAt;
}

test('a task that runs continuously ends at its limit', async () => {
  expect(await expiryOf(1)).toBe(1_000);
});

test('time that the machine spends on other work does not count', async () => {
  const expiry = await expiryOf(0.5);
  expect(expiry).toBeGreaterThanOrEqual(2_000);
  expect(expiry).toBeLessThan(2_100);
});

test('a task that gets almost no processor time ends at its wall time limit', async () => {
  expect(await expiryOf(0.01)).toBe(1_000 * wallTimeFactor);
});

test('a timer that was disposed never expires', async () => {
  const expire = jest.fn();
  startTaskTimer(async () => Date.now(), 1_000, expire)[Symbol.dispose]();
  await jest.advanceTimersByTimeAsync(10_000);
  expect(expire).not.toHaveBeenCalled();
});
