import { once } from 'node:events';
import { request } from 'node:http';
import { connect, createServer, isIPv6, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type LoopbackServer, listening } from '@sluice/http-client/testing';
import { AppError } from '@sluice/node-sdk';
import { eventually } from '@sluice/test-support';
import { SocksClient } from 'socks';
import { realPorts } from '../testing/credential-ports.ts';
import type { Bridge } from './bridge.ts';
import { openHttpBridge } from './http-bridge.ts';
import type { ConnectPort } from './open-socket.ts';
import { openSocksBridge } from './socks-bridge.ts';

type Through = (bridge: Bridge, host: string, port: number) => Promise<Socket>;

const throughSocks: Through = async ({ host, port, user, password }, ...[askedHost, askedPort]) => {
  const proxy = { host, port, type: 5 as const, userId: user, password };
  const destination = { host: askedHost, port: askedPort };
  return (await SocksClient.createConnection({ proxy, command: 'connect', destination })).socket;
};

const throughHttp: Through = async ({ host, port, user, password }, ...[askedHost, askedPort]) => {
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  const path = `${isIPv6(askedHost) ? `[${askedHost}]` : askedHost}:${askedPort}`;
  const asking = request({ host, port, method: 'CONNECT', path, headers: { 'proxy-authorization': authorization } }).end();
  const [{ statusCode }, socket] = await once(asking, 'connect');
  if (statusCode !== 200) throw new Error(`the proxy answers ${statusCode}`);
  return socket;
};

const ports = realPorts();
const { signal } = new AbortController();
const destinations: [string, number][] = [];
const echoed = new Set<Socket>();
let echo: LoopbackServer;
let bridge: Bridge;

beforeEach(async () => {
  destinations.length = 0;
  echo = await listening(
    createServer((socket) => {
      echoed.add(socket);
      socket.once('close', () => echoed.delete(socket));
      socket.pipe(socket);
    }),
  );
});
afterEach(async () => {
  await bridge.close();
  await echo.close();
});

const toEcho: ConnectPort['connect'] = (host, port, options) => {
  destinations.push([host, port]);
  return ports.connect('127.0.0.1', echo.port, options);
};

describe.each([
  ['SOCKS5', openSocksBridge, throughSocks],
  ['CONNECT of HTTP', openHttpBridge, throughHttp],
])('a bridge of %s', (_, openBridge, through) => {
  const open = async (connectPort = toEcho) => {
    bridge = await openBridge({ connect: connectPort }, signal);
  };

  test.each([
    ['db.example', 27_017],
    ['10.1.2.3', 1],
    ['2001:db8:0:0:0:0:0:1', 443],
  ])('relays bytes both ways and passes %s:%d to the port', async (host, port) => {
    await open();
    const socket = await through(bridge, host, port);
    socket.write('over there');
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toBe('over there');
    expect(destinations).toEqual([[host, port]]);
    socket.destroy();
  });

  test.each(['guess', 'x'.repeat(36)])('rejects a client without the login: %j', async (guess) => {
    await open();
    await expect(through({ ...bridge, password: guess }, 'db.example', 1)).rejects.toThrow();
    await expect(through({ ...bridge, user: guess }, 'db.example', 1)).rejects.toThrow();
    expect(destinations).toEqual([]);
  });

  test('rejects with the port’s own error', async () => {
    const blocked = new AppError({ code: 'CONNECTION_BLOCKED', message: 'not there' });
    await open(() => Promise.reject(blocked));
    await expect(through(bridge, 'db.example', 1)).rejects.toThrow();
    await expect(bridge.failed).rejects.toBe(blocked);
  });

  test('closing the bridge ends its connections', async () => {
    await open();
    const socket = await through(bridge, 'db.example', 1);
    const closed = once(socket, 'close');
    await bridge.close();
    await closed;
  });

  test('when either side ends, the other side ends too', async () => {
    await open();
    const first = await through(bridge, 'db.example', 1);
    first.destroy();
    await eventually(() => expect(echoed.size).toBe(0));
    const second = await through(bridge, 'db.example', 1);
    const closed = once(second.resume(), 'close');
    for (const socket of echoed) socket.destroy();
    await closed;
  });

  test('ends a connection made after closing', async () => {
    const [asking, going] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await open(async (...to) => {
      const socket = await toEcho(...to);
      asking.resolve();
      await going.promise;
      return socket;
    });
    const refused = expect(through(bridge, 'db.example', 1)).rejects.toThrow();
    await asking.promise;
    await bridge.close();
    await refused;
    await eventually(() => expect(echoed.size).toBe(1));
    going.resolve();
    await eventually(() => expect(echoed.size).toBe(0));
  });
});

test('SOCKS5: rejects a client that offers no password', async () => {
  bridge = await openSocksBridge({ connect: toEcho }, signal);
  const socket = connect(bridge.port, bridge.host);
  socket.write(Buffer.of(5, 1, 0));
  const [answer] = await once(socket, 'data');
  expect([...answer]).toEqual([5, 0xff]);
  socket.destroy();
});

test.each([
  ['CONNECT db.example:1', 407],
  ['CONNECT db.example', 407],
  ['GET http://db.example/', 405],
])('HTTP: the response to %s without a login is %d', async (line, status) => {
  bridge = await openHttpBridge({ connect: toEcho }, signal);
  const socket = connect(bridge.port, bridge.host);
  socket.write(`${line} HTTP/1.1\r\nHost: db.example\r\n\r\n`);
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(destinations).toEqual([]);
  socket.destroy();
});
