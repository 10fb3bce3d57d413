import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { SocksClient } from 'socks';
import { realPorts } from '../testing/credential-ports.ts';
import { type LoopbackServer, listening } from '../testing/loopback-server.ts';
import { openSocksBridge, type SocksBridge } from './socks-bridge.ts';

const ports = realPorts();
const asked: [string, number][] = [];
let echo: LoopbackServer;
let bridge: SocksBridge;

beforeEach(async () => {
  asked.length = 0;
  echo = await listening(createServer((socket) => socket.pipe(socket)));
  const connectPort: typeof ports.connect = (host, port, options) => {
    asked.push([host, port]);
    return ports.connect('127.0.0.1', echo.port, options);
  };
  bridge = await openSocksBridge({ connect: connectPort }, new AbortController().signal);
});
afterEach(async () => {
  await bridge.close();
  await echo.close();
});

async function through(host: string, port: number, password = bridge.password): Promise<Socket> {
  const proxy = { host: bridge.host, port: bridge.port, type: 5 as const, userId: bridge.user, password };
  return (await SocksClient.createConnection({ proxy, command: 'connect', destination: { host, port } })).socket;
}

test.each([
  ['db.example', 27_017],
  ['10.1.2.3', 1],
  ['2001:db8:0:0:0:0:0:1', 443],
])('bytes go both ways, to %s:%d as the port sees it', async (host, port) => {
  const socket = await through(host, port);
  socket.write('over there');
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toBe('over there');
  expect(asked).toEqual([[host, port]]);
  socket.destroy();
});

test('without its password nobody gets through', async () => {
  await expect(through('db.example', 1, 'guess')).rejects.toThrow();
  expect(asked).toEqual([]);
});

test('a client that offers no password is turned away', async () => {
  const socket = connect(bridge.port, bridge.host);
  socket.write(Buffer.of(5, 1, 0));
  const [answer] = await once(socket, 'data');
  expect([...answer]).toEqual([5, 0xff]);
  socket.destroy();
});

test('closing ends the connections', async () => {
  const socket = await through('db.example', 1);
  const closed = once(socket, 'close');
  await bridge.close();
  await closed;
});
