import { expect, jest, test } from '@jest/globals';
import { inBatches } from './in-batches.ts';

const never = new AbortController().signal;

test('ends with the step that says that there is no more', async () => {
  const step = jest
    .fn(async () => true)
    .mockResolvedValueOnce(true)
    .mockResolvedValueOnce(false);
  await inBatches(step, { max: 10, signal: never });
  expect(step).toHaveBeenCalledTimes(2);
});

test('takes so many steps at most', async () => {
  const step = jest.fn(async () => true);
  await inBatches(step, { max: 3, signal: never });
  expect(step).toHaveBeenCalledTimes(3);
});

test('takes no step once the signal has fired', async () => {
  const stopping = new AbortController();
  const step = jest.fn(async () => {
    stopping.abort();
    return true;
  });
  await inBatches(step, { max: 10, signal: stopping.signal });
  expect(step).toHaveBeenCalledTimes(1);
});
