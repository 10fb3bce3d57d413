import { expect, test } from '@jest/globals';
import { within } from './within.ts';

const never = new Promise<string>(() => undefined);

test('the result of work that settles in time', async () => {
  expect(await within(60_000, Promise.resolve('a'))).toBe('a');
  await expect(within(60_000, Promise.reject(new Error('b')))).rejects.toThrow('b');
});

test('undefined after the time, or once a signal fires', async () => {
  expect(await within(1, never)).toBeUndefined();
  expect(await within(60_000, never, AbortSignal.abort())).toBeUndefined();
  const controller = new AbortController();
  const waiting = within(60_000, never, controller.signal);
  controller.abort();
  expect(await waiting).toBeUndefined();
});

test('a failure after the time is not an unhandled rejection', async () => {
  const { promise, reject } = Promise.withResolvers<string>();
  expect(await within(1, promise)).toBeUndefined();
  reject(new Error('late'));
  await new Promise((resolve) => setImmediate(resolve));
});
