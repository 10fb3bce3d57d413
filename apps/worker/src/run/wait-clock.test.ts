import { expect, jest, test } from '@jest/globals';
import type { Logger } from '@sluice/logger';
import { WaitClock } from './wait-clock.ts';

/** A clock with these batches of due waits, and the next wait due in this many milliseconds. */
function aClock(batches: number[], nextMs: number | undefined, takenByOthers = false) {
  const enqueued: number[] = [];
  const refs = (count: number) => Array.from({ length: count }, (_, i) => ({ executionId: `${i}`, attempt: 2 }));
  const resumeDue = jest.fn(async () => refs(takenByOthers ? 0 : (batches.shift() ?? 0)));
  const followUps = { enqueue: async (due: readonly object[]) => void enqueued.push(due.length) };
  const executionWaits = { resumeDue, nextDueMs: async () => (batches.length > 0 ? -1 : nextMs) };
  return { clock: new WaitClock({ executionWaits, followUps, logger: {} as Logger }), enqueued, resumeDue };
}

test('all due executions resume in batches, and the next executions are collected for a while', async () => {
  const { clock, enqueued } = aClock([500, 500, 3, 1], undefined);
  expect(await clock.round()).toBe(100);
  expect(enqueued).toEqual([500, 500, 3]);
  expect(await clock.round()).toBe(100);
  expect(enqueued).toEqual([500, 500, 3, 1]);
  expect(await clock.round()).toBe(1_000);
});

test('waits that other workers are handling are checked again soon', async () => {
  expect(await aClock([5], undefined, true).clock.round()).toBe(20);
});

test.each([
  [undefined, 1_000],
  [86_400_000, 1_000],
  [345.6, 346],
  [0.5, 20],
])('if the next wait is due in %s ms, it checks again in %d ms', async (next, ms) => {
  const { clock, resumeDue } = aClock([], next);
  expect(await clock.round()).toBe(ms);
  expect(resumeDue).not.toHaveBeenCalled();
});

test('a wait that starts and ends while the clock sleeps resumes in time if the clock is notified', async () => {
  jest.useFakeTimers();
  const waiting: number[] = [];
  const resumedAt: number[] = [];
  const executionWaits = {
    nextDueMs: async () => (waiting.length === 0 ? undefined : Math.min(...waiting) - performance.now()),
    resumeDue: async () => waiting.splice(0).map(() => ({ executionId: '1', attempt: 2 })),
  };
  const followUps = { enqueue: async () => void resumedAt.push(performance.now()) };
  const clock = new WaitClock({ executionWaits, followUps, logger: {} as Logger });
  clock.start();
  await jest.advanceTimersByTimeAsync(30);
  waiting.push(performance.now() + 300);
  const dueAt = waiting[0] ?? 0;
  clock.expect(300);
  await jest.advanceTimersByTimeAsync(900);
  await clock.stop();
  jest.useRealTimers();
  expect(resumedAt).toHaveLength(1);
  expect((resumedAt[0] ?? 0) - dueAt).toBeLessThan(25);
});
