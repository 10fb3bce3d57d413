import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import { respondsWithin } from './responds-within.ts';

test.each([true, false])('resolves to a reply that comes in time: %s', async (reply) => {
  await expect(respondsWithin(60_000, Promise.resolve(reply))).resolves.toBe(reply);
});

test('resolves to false if no reply comes', async () => {
  await expect(respondsWithin(1, new Promise<boolean>(() => {}))).resolves.toBe(false);
});

test('rejects as the reply does', async () => {
  await expect(respondsWithin(60_000, Promise.reject(new Error('refused')))).rejects.toThrow('refused');
});

test('a reply that waits in a socket, because the event loop was busy, is in time', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect(server.address() as { port: number });
  const [[sender]] = await Promise.all([once(server, 'connection') as Promise<[Socket]>, once(client, 'connect')]);
  const reply = once(client, 'data').then(() => true);
  const result = respondsWithin(1, reply);
  sender.write('pong');
  for (const end = performance.now() + 20; performance.now() < end; );
  await expect(result).resolves.toBe(true);
  client.destroy();
  sender.destroy();
  server.close();
});
