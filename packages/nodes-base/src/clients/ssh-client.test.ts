import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { eventually } from '@sluice/test-support';
import { realPorts } from '../testing/credential-ports.ts';
import { sshServer } from '../testing/ssh-server.ts';
import { openSsh } from './ssh-client.ts';

const ports = realPorts();
let silent: Server;
let connections: Socket[];

beforeEach(async () => {
  connections = [];
  silent = createServer((socket) => void connections.push(socket.on('error', () => undefined)));
  await once(silent.listen(0, '127.0.0.1'), 'listening');
});
afterEach(async () => {
  silent.close();
  for (const socket of connections) socket.destroy(); // a socket that is not read does not notice the end
  await ports.close();
});

test('an abort during the handshake rejects, and no remaining error ends the process', async () => {
  const uncaught: unknown[] = [];
  const note = (error: unknown) => uncaught.push(error);
  process.on('uncaughtException', note);
  const abort = new AbortController();
  const { port } = silent.address() as AddressInfo;
  const opened = openSsh({ host: '127.0.0.1', port, username: 'ann', password: 'secret' }, ports, abort.signal);
  opened.catch(() => undefined);
  await once(silent, 'connection');
  for (let i = 0; i < 50; i += 1) await nextTurn(); // the client has sent its greeting
  // Like a timer: socket errors then come before promise rejections.
  setImmediate(() => abort.abort(new Error('canceled')));
  await expect(opened).rejects.toThrow();
  for (let i = 0; i < 5; i += 1) await nextTurn();
  process.off('uncaughtException', note);
  expect(uncaught).toEqual([]);
});

test('an unreadable private key closes the connection', async () => {
  const { port } = silent.address() as AddressInfo;
  const connection = once(silent, 'connection');
  const data = { host: '127.0.0.1', port, username: 'ann', privateKey: 'not a key' };
  await expect(openSsh(data, ports, new AbortController().signal)).rejects.toThrow();
  const [socket] = await connection;
  await once(socket.resume(), 'close');
});

test('the client offers no key exchange with a group that the server chooses', async () => {
  const { port } = silent.address() as AddressInfo;
  const connection = once(silent, 'connection');
  const ending = new AbortController();
  const opened = openSsh({ host: '127.0.0.1', port, username: 'ann', password: 'secret' }, ports, ending.signal);
  opened.catch(() => undefined);
  const [socket] = await connection;
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
  socket.write('SSH-2.0-test\r\n');
  await eventually(() => received.includes('diffie-hellman-group14-sha256'));
  expect(received).not.toContain('group-exchange');
  ending.abort(new Error('the test ended'));
});

test('the client does not decompress packets, which could expand to a thousand times their size', async () => {
  const server = await sshServer('secret', { compress: ['zlib@openssh.com'] });
  const data = { host: '127.0.0.1', port: server.port, username: 'ann', password: 'secret' };
  await expect(openSsh(data, ports, AbortSignal.timeout(10_000))).rejects.toThrow(/compression/);
  await server.close();
  const usual = await sshServer('secret', { compress: ['zlib@openssh.com', 'none'] });
  (await openSsh({ ...data, port: usual.port }, ports, AbortSignal.timeout(10_000))).destroy();
  await usual.close();
});
