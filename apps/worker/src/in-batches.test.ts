import { expect, jest, test } from '@jest/globals';
import { inBatches } from './in-batches.ts';

const never = new AbortController().signal;

test('ends with the step that reports no more work', async () => {
  const step = jest
    .fn(async () => true)
    .mockResolvedValueOnce(true)
    .mockResolvedValueOnce(false);
  await inBatches(step, { max: 10, signal: never });
  expect(step).toHaveBeenCalledTimes(2);
});

test('stops at the maximum number of steps', async () => {
  const step = jest.fn(async () => true);
  await inBatches(step, { max: 3, signal: never });
  expect(step).toHaveBeenCalledTimes(3);
});

test('runs no step after the signal has fired', async () => {
  const stopping = new AbortController();
  const step = jest.fn(async () => {
    stopping.abort();
    return true;
  });
  await inBatches(step, { max: 10, signal: stopping.signal });
  expect(step).toHaveBeenCalledTimes(1);
});
