import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type LoopbackServer, listening } from '@sluice/http-client/testing';
import { ConnectingSocket } from './connecting-socket.ts';
import { answered, leave, watchLoss } from './connection-loss.ts';

let server: LoopbackServer;
let socket: Socket;
let peer: Promise<Socket>;

beforeEach(async () => {
  const { promise, resolve } = Promise.withResolvers<Socket>();
  peer = promise;
  server = await listening(createServer((accepted) => resolve(accepted.resume())));
  socket = connect(server.port, '127.0.0.1').resume();
  await once(socket, 'connect');
});
afterEach(async () => {
  socket.destroy();
  await server.close();
});

const forever = new Promise<never>(() => {});

test('a response that does not arrive in time is a transient failure', async () => {
  await expect(answered(Promise.resolve(1), forever, 20)).resolves.toBe(1);
  await expect(answered(forever, forever, 20)).rejects.toMatchObject({ code: 'CONNECTION_FAILED', kind: 'transient' });
});

test('a connection that the server ends rejects all pending requests', async () => {
  const { lost } = watchLoss(socket);
  const waiting = expect(answered(forever, lost)).rejects.toMatchObject({ message: 'the server closed the connection' });
  (await peer).destroy();
  await waiting;
});

test('a connection that the operating system reports as broken is a transient failure too', async () => {
  const { lost } = watchLoss(socket);
  const failed = expect(lost).rejects.toMatchObject({
    code: 'CONNECTION_FAILED',
    kind: 'transient',
    cause: { code: 'ECONNRESET' },
  });
  (await peer).resetAndDestroy();
  await failed;
});

test('a reason from the client overrides the socket’s error and ends the socket', async () => {
  const { lost, lose } = watchLoss(socket);
  socket.on('error', () => {});
  const reason = new Error('access refused');
  lose(reason);
  await expect(lost).rejects.toBe(reason);
  expect(socket.destroyed).toBe(true);
});

test('a pending session close does not keep the socket open', async () => {
  socket.on('error', () => {});
  await leave(socket, watchLoss(socket), () => forever);
  expect(socket.destroyed).toBe(true);
});

test('a self-connecting socket sends data written before it is connected', async () => {
  const { promise: connected, resolve } = Promise.withResolvers<void>();
  const early = new ConnectingSocket(async () => socket, resolve);
  early.write('hello');
  const [chunk] = await once(await peer, 'data');
  await connected;
  expect(String(chunk)).toBe('hello');
  early.destroy();
  expect(socket.destroyed).toBe(true);
});

test('a self-connecting socket fails if its connection fails', async () => {
  const refused = new Error('refused');
  const never = new ConnectingSocket(
    () => Promise.reject(refused),
    () => {},
  );
  await expect(once(never, 'connect')).rejects.toBe(refused);
  const ended = new ConnectingSocket(
    async () => socket,
    () => socket.destroy(),
  );
  await expect(once(ended, 'connect')).rejects.toThrow('the connection was closed');
});
