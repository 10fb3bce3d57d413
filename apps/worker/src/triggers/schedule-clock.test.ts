import { expect, jest, test } from '@jest/globals';
import type { Logger } from '@sluice/logger';
import { ScheduleClock } from './schedule-clock.ts';

/** A clock with these batches of due ticks, and the next tick due in this many milliseconds. */
function aClock(batches: number[], nextMs: number | undefined, takenByOthers = false) {
  const enqueued: number[] = [];
  const noted: string[] = [];
  const take = jest.fn(async () => {
    const count = takenByOthers ? 0 : (batches.shift() ?? 0);
    const started = Array.from({ length: count }, (_, i) => ({ executionId: `${i}`, attempt: 1 }));
    return { count, started, projectIds: started.map(() => 'p') };
  });
  const clock = new ScheduleClock({
    scheduleTicks: { take, nextDueMs: async () => (batches.length > 0 ? -1 : nextMs) },
    queueGauge: { full: async () => [], note: (projectId) => void noted.push(projectId) },
    enqueue: async (started) => void enqueued.push(started.length),
    timezone: 'UTC',
    logger: {} as Logger,
  });
  return { clock, enqueued, noted, take };
}

test('all due ticks are claimed in batches, enqueued, and counted', async () => {
  const { clock, enqueued, noted } = aClock([100, 100, 3], undefined);
  expect(await clock.round()).toBe(500);
  expect(enqueued).toEqual([100, 100, 3]);
  expect(noted).toHaveLength(203);
});

test('ticks that other workers are claiming are checked again soon', async () => {
  expect(await aClock([5], undefined, true).clock.round()).toBe(20);
});

test.each([
  [undefined, 500],
  [86_400_000, 500],
  [345.6, 346],
  [0.5, 5],
])('if the next tick is due in %s ms, it checks again in %d ms', async (next, ms) => {
  const { clock, take } = aClock([], next);
  expect(await clock.round()).toBe(ms);
  expect(take).not.toHaveBeenCalled();
});
