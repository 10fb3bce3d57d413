import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { inTime, untilAborted, within } from './bounded-wait.ts';

const never = new Promise<string>(() => undefined);

test('returns the result of work that settles in time', async () => {
  expect(await within(60_000, Promise.resolve('a'))).toBe('a');
  await expect(within(60_000, Promise.reject(new Error('b')))).rejects.toThrow('b');
});

test('returns undefined after the time, or once a signal fires', async () => {
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

test('a response that waits in a socket, because the event loop was busy, is in time', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect(server.address() as { port: number });
  const [[sender]] = await Promise.all([once(server, 'connection') as Promise<[Socket]>, once(client, 'connect')]);
  try {
    const response = once(client, 'data').then(String);
    const result = within(1, response);
    sender.write('pong');
    for (const end = performance.now() + 20; performance.now() < end; );
    expect(await result).toBe('pong');
  } finally {
    client.destroy();
    sender.destroy();
    server.close();
  }
});

test('passes on the result of the work, or its failure', async () => {
  await expect(inTime(Promise.resolve(1), 60_000)).resolves.toBe(1);
  await expect(inTime(Promise.reject(new Error('broken')), 60_000)).rejects.toThrow('broken');
});

test('rejects if the work never ends', async () => {
  await expect(inTime(new Promise(() => undefined), 20)).rejects.toThrow('no response within 0.02 seconds');
});

test('does not count time in which the event loop is blocked', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => resolve('read late');
  const result = inTime(promise, 200);
  port2.postMessage('sent in time');
  const end = performance.now() + 300;
  while (performance.now() < end);
  await expect(result).resolves.toBe('read late');
  port1.close();
});

describe('untilAborted', () => {
  test('passes on the result of the work, or its failure', async () => {
    const { signal } = new AbortController();
    await expect(untilAborted(Promise.resolve(1), signal)).resolves.toBe(1);
    await expect(untilAborted(Promise.reject(new Error('broken')), signal)).rejects.toThrow('broken');
  });

  test('rejects with the reason of a signal that fires first, or has already fired', async () => {
    const stop = new AbortController();
    const waiting = untilAborted(new Promise(() => undefined), stop.signal);
    stop.abort(new Error('canceled'));
    await expect(waiting).rejects.toThrow('canceled');
    await expect(untilAborted(Promise.resolve(1), stop.signal)).rejects.toThrow('canceled');
  });

  test('a failure after the abort is ignored', async () => {
    const stop = new AbortController();
    const { promise, reject } = Promise.withResolvers<never>();
    const waiting = untilAborted(promise, stop.signal);
    stop.abort(new Error('canceled'));
    await expect(waiting).rejects.toThrow('canceled');
    reject(new Error('too late')); // unhandled, it would end the process
    await new Promise((resolve) => setImmediate(resolve));
  });
});
