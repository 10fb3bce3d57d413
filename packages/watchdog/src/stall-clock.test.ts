import { expect, test } from '@jest/globals';
import { StallClock } from './stall-clock.ts';

test('silence adds up while there is no pulse, and ends with the next pulse', () => {
  const clock = new StallClock(1_000);
  expect([clock.check(1n, 0), clock.check(1n, 1_000), clock.check(1n, 2_100), clock.check(2n, 3_100)]).toEqual([
    0, 1_000, 2_100, 0,
  ]);
});

test('a process that was frozen for an hour was not silent for an hour', () => {
  const clock = new StallClock(1_000);
  clock.check(1n, 0);
  expect(clock.check(1n, 3_600_000)).toBe(2_000);
});
