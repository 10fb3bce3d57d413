import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { throttle } from './throttle.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

test('a throttled function runs immediately, and once more for all calls within the interval', () => {
  const act = jest.fn();
  const throttled = throttle(500, act);
  for (let call = 0; call < 5; call += 1) throttled();
  expect(act).toHaveBeenCalledTimes(1);
  jest.advanceTimersByTime(499);
  expect(act).toHaveBeenCalledTimes(1);
  jest.advanceTimersByTime(1);
  expect(act).toHaveBeenCalledTimes(2);
  jest.advanceTimersByTime(5_000);
  expect(act).toHaveBeenCalledTimes(2);
  throttled();
  expect(act).toHaveBeenCalledTimes(3);
});
