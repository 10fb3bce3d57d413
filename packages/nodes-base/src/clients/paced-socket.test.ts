import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { connect as connectTls, createServer as createTlsServer } from 'node:tls';
import { afterEach, expect, test } from '@jest/globals';
import { type LoopbackServer, listening, selfSigned } from '@sluice/http-client/testing';
import { MemoryBudget } from '@sluice/node-sdk/testing';
import { eventually } from '@sluice/test-support';
import { ByteBudget } from '../shared/byte-budget.ts';
import { PacedSocket } from './paced-socket.ts';

const servers: LoopbackServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function connected(serve: (socket: Socket) => void): Promise<PacedSocket> {
  const server = await listening(createServer({ allowHalfOpen: true }, serve));
  servers.push(server);
  const socket = connect({ host: '127.0.0.1', port: server.port });
  await once(socket, 'connect');
  return new PacedSocket(socket);
}

/** Bytes that differ by position. */
const sample = Buffer.from(Uint32Array.from({ length: 500_000 }, (_, index) => index).buffer);

test('all bytes arrive in order before the end, although the server has closed the connection', async () => {
  const socket = await connected((server) => void server.end(sample));
  expect((await buffer(socket)).equals(sample)).toBe(true);
  if (!socket.closed) await once(socket, 'close');
  expect(socket.errored).toBeNull();
});

test('chunks are small, even for a reader that waited', async () => {
  const socket = await connected((server) => void server.end(sample));
  await new Promise((resolve) => void setTimeout(resolve, 50));
  const sizes: number[] = [];
  let turns = 0;
  let inTurn = 0;
  let most = 0;
  socket.on('data', (piece: Buffer) => {
    sizes.push(piece.length);
    inTurn += piece.length;
    most = Math.max(most, inTurn);
  });
  const ended = once(socket, 'end');
  while (!socket.readableEnded) {
    await setImmediate();
    turns++;
    inTurn = 0;
  }
  await ended;
  expect(Math.max(...sizes)).toBeLessThanOrEqual(8 * 1024);
  expect(most).toBeLessThanOrEqual(10 * 8 * 1024);
  expect(turns).toBeGreaterThan(sample.length / (10 * 8 * 1024));
});

test('a slow reader ends the turn', async () => {
  const socket = await connected((server) => void server.end(sample.subarray(0, 200_000)));
  let inTurn = 0;
  let most = 0;
  socket.on('data', () => {
    const end = performance.now() + 15;
    while (performance.now() < end);
    inTurn++;
    most = Math.max(most, inTurn);
  });
  while (!socket.readableEnded) {
    await setImmediate();
    inTurn = 0;
  }
  expect(most).toBeLessThanOrEqual(3);
});

test('a paused reader stops the server', async () => {
  let sent = 0;
  const socket = await connected((server) => {
    const send = () => {
      while (!server.destroyed && server.write(sample)) sent += sample.length;
    };
    server.on('drain', send);
    server.on('error', () => {});
    send();
  });
  socket.once('data', () => socket.pause());
  await new Promise((resolve) => void setTimeout(resolve, 300));
  expect(socket.bytesRead).toBeLessThan(1_000_000);
  expect(sent).toBeLessThan(50_000_000);
  socket.destroy();
  await once(socket, 'close');
});

test('writes arrive in order, then the end; the other side may still send', async () => {
  const received = Promise.withResolvers<Buffer>();
  const socket = await connected((server) => {
    received.resolve(buffer(server));
    server.on('end', () => server.end('bye'));
  });
  socket.cork();
  socket.write(sample.subarray(0, 1_000));
  socket.write(sample.subarray(1_000));
  socket.uncork();
  socket.end();
  expect(String(await buffer(socket))).toBe('bye');
  expect((await received.promise).equals(sample)).toBe(true);
});

test('TLS that a library starts on the socket works in both directions', async () => {
  const server = await listening(createTlsServer(selfSigned, (secure) => secure.pipe(secure)));
  servers.push(server);
  const plain = connect({ host: '127.0.0.1', port: server.port });
  await once(plain, 'connect');
  const secure = connectTls({ socket: new PacedSocket(plain), rejectUnauthorized: false });
  await once(secure, 'secureConnect');
  secure.end(sample);
  expect((await buffer(secure)).equals(sample)).toBe(true);
});

test('a reset, and a timeout without data, are reported', async () => {
  const reset = await connected((server) => void server.once('data', () => server.resetAndDestroy()));
  reset.resume().write('hi');
  const [error] = (await once(reset, 'error').catch((cause: unknown) => [cause])) as [NodeJS.ErrnoException];
  expect(error.code).toBe('ECONNRESET');
  const silent = await connected((server) => void server.on('error', () => {}).resume());
  const timeout = Promise.withResolvers<void>();
  silent.setTimeout(20, timeout.resolve);
  await timeout.promise;
  silent.destroy();
});

test('each reader runs in the context of its own connection', async () => {
  const name = new AsyncLocalStorage<string>();
  const open = (own: string) => name.run(own, () => connected((server) => void server.end(sample.subarray(0, 100_000))));
  const sockets = await Promise.all(['a', 'b', 'c'].map(async (own) => [own, await open(own)] as const));
  const seen = new Map(sockets.map(([own]) => [own, new Set<string | undefined>()]));
  for (const [own, socket] of sockets) socket.on('data', () => seen.get(own)?.add(name.getStore()));
  await Promise.all(sockets.map(([, socket]) => once(socket, 'close')));
  expect([...seen].map(([own, contexts]) => [own, [...contexts]])).toEqual([
    ['a', ['a']],
    ['b', ['b']],
    ['c', ['c']],
  ]);
});

test('delivers nothing while there is no memory for what its execution has read', async () => {
  const mib = 1024 * 1024;
  const never = new AbortController().signal;
  const memory = new MemoryBudget({ limit: 100 * mib, inUse: () => 1 });
  const other = memory.open(never);
  other.retain(39 * mib);
  let read = 0;
  const socket = await memory.open(never).run(async () => {
    const opened = await connected((server) => void server.end(sample));
    const budget = new ByteBudget(() => {});
    return opened.on('data', (piece: Buffer) => {
      read += piece.length;
      budget.spend(piece.length);
    });
  });
  await eventually(() => expect(memory.isExceeded).toBe(true));
  expect(read).toBeLessThan(mib);
  other[Symbol.dispose]();
  await once(socket, 'end');
  expect(read).toBe(sample.length);
});
