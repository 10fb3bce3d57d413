import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { repeatedly } from './repeatedly.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** `work`, every 100 ms. */
function repeat(work: () => Promise<number> | Promise<void>) {
  const stopping = new AbortController();
  const counted = jest.fn(work);
  const onError = jest.fn((_: unknown) => undefined);
  const hasten = repeatedly(counted, { pauseMs: 100, signal: stopping.signal, onError });
  return { onError, hasten, stop: () => stopping.abort(), runs: () => counted.mock.calls.length };
}

const after = (ms: number) => jest.advanceTimersByTimeAsync(ms);

test('runs after a pause, and again after a pause each time it ends', async () => {
  const { runs } = repeat(async () => undefined);
  await after(99);
  expect(runs()).toBe(0);
  await after(201);
  expect(runs()).toBe(3);
});

test('does not start a run during another one', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { runs } = repeat(() => promise);
  await after(1_000);
  expect(runs()).toBe(1);
  resolve();
  await after(100);
  expect(runs()).toBe(2);
});

test('the first run may have its own pause', async () => {
  const work = jest.fn(async () => undefined);
  repeatedly(work, { pauseMs: 100, firstMs: 5, signal: new AbortController().signal, onError: () => undefined });
  await after(5);
  expect(work).toHaveBeenCalledTimes(1);
  await after(100);
  expect(work).toHaveBeenCalledTimes(2);
});

test('the work may set the time of its next run', async () => {
  const { runs } = repeat(async () => 5);
  await after(110);
  expect(runs()).toBe(3);
});

test('with an infinite pause, the work runs again only when it is moved forward', async () => {
  const { runs, hasten } = repeat(async () => Number.POSITIVE_INFINITY);
  await after(1_000);
  expect(runs()).toBe(1);
  hasten(0);
  await after(0);
  expect(runs()).toBe(2);
});

test('the next run can be moved forward, and is not postponed', async () => {
  const { runs, hasten } = repeat(async () => undefined);
  hasten(30);
  hasten(60);
  hasten(1_000);
  await after(29);
  expect(runs()).toBe(0);
  await after(1);
  expect(runs()).toBe(1);
  await after(99);
  expect(runs()).toBe(1);
  await after(1);
  expect(runs()).toBe(2);
});

test('moving forward during a run applies to the next one', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { runs, hasten } = repeat(() => promise);
  await after(100);
  hasten(50);
  await after(20);
  resolve();
  await after(29);
  expect(runs()).toBe(1);
  await after(1);
  expect(runs()).toBe(2);
});

test('moving forward has no effect after the signal has fired', async () => {
  const { runs, hasten, stop } = repeat(async () => undefined);
  stop();
  hasten(1);
  await after(1_000);
  expect(runs()).toBe(0);
});

test('reports a failed run, and continues', async () => {
  const { runs, onError } = repeat(() => Promise.reject<void>(new Error('away')));
  await after(200);
  expect(runs()).toBe(2);
  expect(onError.mock.calls).toEqual([[new Error('away')], [new Error('away')]]);
});

test('ends when its signal fires, between two runs or during a run', async () => {
  const pausing = repeat(async () => undefined);
  const { promise, resolve } = Promise.withResolvers<void>();
  const working = repeat(() => promise);
  await after(100);
  pausing.stop();
  working.stop();
  resolve();
  await after(1_000);
  expect([pausing.runs(), working.runs()]).toEqual([1, 1]);
  expect(jest.getTimerCount()).toBe(0);
});

test('does not start if the signal has already fired', async () => {
  const work = jest.fn(async () => undefined);
  repeatedly(work, { pauseMs: 0, signal: AbortSignal.abort(), onError: () => undefined });
  await after(1_000);
  expect(work).not.toHaveBeenCalled();
});
