import { expect, test } from '@jest/globals';
import { Backoff } from './backoff.ts';

test('the delay doubles up to five seconds', () => {
  const backoff = new Backoff();

  const delays = Array.from({ length: 7 }, () => backoff.delayAfter(10));

  expect(delays).toEqual([250, 500, 1000, 2000, 4000, 5000, 5000]);
});

test('after a long healthy run, the delay is short again', () => {
  const backoff = new Backoff();
  backoff.delayAfter(10);
  backoff.delayAfter(10);

  expect(backoff.delayAfter(60_000)).toBe(250);
});
