import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, expect, test } from '@jest/globals';
import { eventually } from '@sluice/test-support';
import { readBytes } from './read-bytes.ts';

const server = createServer().listen(0, '127.0.0.1');
await once(server, 'listening');
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Sends a request in the given parts; resolves to it once it has arrived. */
async function received(...parts: readonly string[]) {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const requested = once(server, 'request');
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${parts.join('').length}\r\n\r\n`);
  const [request] = (await requested) as [IncomingMessage];
  for (const part of parts) {
    const before = request.readableLength;
    socket.write(part);
    await eventually(() => expect(request.readableLength).toBe(before + part.length));
  }
  await eventually(() => expect(request.complete).toBe(true));
  return { request, socket };
}

test('a body that arrived in parts before it is read is read whole', async () => {
  const { request } = await received('a'.repeat(5_000), 'b'.repeat(5_000), 'c');
  const ended = once(request, 'end');
  expect(String(await readBytes(request, 100_000))).toBe(`${'a'.repeat(5_000)}${'b'.repeat(5_000)}c`);
  await ended;
});

test('a body whose client disconnected before it is read is an error', async () => {
  const { request, socket } = await received('abc');
  request.on('error', () => undefined);
  socket.destroy();
  await eventually(() => expect(request.destroyed).toBe(true));
  await expect(readBytes(request, 100)).rejects.toThrow();
});
