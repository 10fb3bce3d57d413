import { expect, test } from '@jest/globals';
import { CallTimer, wallTimeFactor } from './call-timer.ts';

/** The timer of a thread that gets this share of a processor. */
function startTimer(share: number) {
  let now = 1_000;
  const timer = new CallTimer(100, { wallMs: () => now, cpuMs: () => now * share });
  const isOverAfter = (ms: number) => {
    now = 1_000 + ms;
    return timer.isOver;
  };
  return { timer, isOverAfter };
}

test('a call that runs continuously ends at its time limit', () => {
  const { isOverAfter } = startTimer(1);

  expect([99, 100, 101].map(isOverAfter)).toEqual([false, true, true]);
});

test('time that the machine spends on other work does not count', () => {
  const { timer, isOverAfter } = startTimer(0.5);

  expect([100, 150, 199, 200].map(isOverAfter)).toEqual([false, false, false, true]);
  expect(timer.usedMs).toBe(100);
});

test('a call that gets almost no processor time ends at its wall time limit', () => {
  const { isOverAfter } = startTimer(0.01);

  expect([100, 100 * wallTimeFactor - 1, 100 * wallTimeFactor].map(isOverAfter)).toEqual([false, false, true]);
});

test('sleep counts toward the limit and ends at the limit', async () => {
  let now = 1_000;
  const timer = new CallTimer(100, { wallMs: () => now, cpuMs: () => 0 });

  now += 100;
  await timer.sleep(40);
  expect([timer.usedMs, timer.isOver]).toEqual([40, false]);
  now += 60;
  await timer.sleep(60_000);
  expect([timer.usedMs, timer.isOver]).toEqual([100, true]);
});

test('sleep ends at the wall time limit, even if little of the time limit is used', async () => {
  let now = 1_000;
  const timer = new CallTimer(100, { wallMs: () => now, cpuMs: () => 0 });

  now += 100 * wallTimeFactor - 10;
  await timer.sleep(60_000);
  expect(timer.usedMs).toBe(10);
});

test.each([0, -1, Number.NaN])('a sleep of %d ms counts as the millisecond that it takes', async (ms) => {
  let now = 1_000;
  const timer = new CallTimer(10, { wallMs: () => now, cpuMs: () => 0 });

  for (let count = 0; count < 10; count += 1) await timer.sleep(ms);
  now += 12;
  expect(timer.isOver).toBe(true);
});
