import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { inSlices } from './in-slices.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** Steps that take six milliseconds each. */
function* stepsOf(count: number, taken: number[]): Generator<undefined, string> {
  for (let n = 1; n <= count; n += 1) {
    jest.advanceTimersByTime(6);
    taken.push(n);
    yield;
  }
  return 'result';
}

test('steps run in slices, the first one immediately, until there is a result', () => {
  const taken: number[] = [];
  const done = jest.fn();
  inSlices(stepsOf(3, taken), done);
  expect([taken, done.mock.calls]).toEqual([[1, 2], []]);
  jest.runOnlyPendingTimers();
  expect([taken, done.mock.calls]).toEqual([[1, 2, 3], [['result']]]);
});

test('short work finishes immediately', () => {
  const done = jest.fn();
  inSlices(stepsOf(1, []), done);
  expect(done.mock.calls).toEqual([['result']]);
});

test('stopped steps do not continue', () => {
  const taken: number[] = [];
  const done = jest.fn();
  const stop = inSlices(stepsOf(9, taken), done);
  stop();
  jest.runAllTimers();
  expect([taken, done.mock.calls]).toEqual([[1, 2], []]);
});
