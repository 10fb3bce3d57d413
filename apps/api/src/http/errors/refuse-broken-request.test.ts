import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { eventually } from '@sluice/test-support';
import { limitPipelining } from '../request/limit-pipelining.ts';
import { refuseBrokenRequest, refuseTunnel } from './refuse-broken-request.ts';

const due: ServerResponse[] = [];
let refused = 0;
const server = createServer(limitPipelining((_, response) => void due.push(response)));
server.on('clientError', (error, socket) => {
  refuseBrokenRequest(error, socket);
  refused += 1;
});
server.on('connect', (_, socket) => {
  refuseTunnel(socket);
  refused += 1;
});

await once(server.listen(0, '127.0.0.1'), 'listening');
beforeEach(() => {
  due.length = 0;
  refused = 0;
});
afterAll(() => server.close().closeAllConnections());

const get = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
const garbage = 'GARBAGE\r\n\r\n';
const tunnel = 'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n';
const badBody = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nno length\r\n';

/**
 * Sends the request, and waits until this many responses are due and the broken request has been
 * rejected.
 */
async function send(sent: string, responses: number): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
  socket.write(sent);
  await eventually(() => due.length === responses && refused > 0);
  return socket;
}

/** The relevant parts of all data received until the connection closes. */
async function answersOf(socket: Socket): Promise<string[]> {
  return [...(await text(socket)).matchAll(/HTTP\/1\.1 \d+|Connection: close|first|second/g)].map(([match]) => match);
}

const [ok, bad] = ['HTTP/1.1 200', 'HTTP/1.1 400'];

test('an invalid request gets a response, and the connection closes', async () => {
  expect(await answersOf(await send(garbage, 0))).toEqual([bad, 'Connection: close']);
});

test('a request with a malformed body gets an error response', async () => {
  expect(await answersOf(await send(badBody, 1))).toEqual([bad, 'Connection: close']);
});

test.each([
  ['invalid data', garbage, 2],
  ['a tunnel', tunnel, 2],
  ['a request with a malformed body', badBody, 3],
])(
  '%s after pipelined requests gets no response: the connection closes after their responses, in order',
  async (_, broken, responses) => {
    const socket = await send(`${get}${get}${broken}`, responses);
    due[1]?.end('second');
    due[0]?.end('first');
    expect(await answersOf(socket)).toEqual([ok, 'first', ok, 'Connection: close', 'second']);
  },
);

test('an error is not written into a response in progress', async () => {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(get);
  await eventually(() => due.length === 1);
  due[0]?.write('first');
  await once(socket, 'readable');
  for (let i = 1; i <= 3; i += 1) {
    socket.write(garbage);
    await eventually(() => refused >= i);
  }
  due[0]?.end('second');
  expect(await answersOf(socket)).toEqual([ok, 'first', 'second']);
});

test('an invalid request after a complete response gets a response', async () => {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(get);
  await eventually(() => due.length === 1);
  due[0]?.end('first');
  await once(socket, 'readable');
  socket.write(garbage);
  expect(await answersOf(socket)).toEqual([ok, 'first', bad, 'Connection: close']);
});
