import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import { within } from './within.ts';

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
