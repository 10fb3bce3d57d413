import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { JsonText } from '@sluice/domain';
import express, { type Response } from 'express';
import { sendRouteResponse } from './send-route-response.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

/** Larger than the buffers of two sockets. */
const large = { status: 200, body: { data: new JsonText(`"${'x'.repeat(30_000_000)}"`) } };

/** A client that has requested a large body and has not read anything yet. */
async function open(stalledAfterMs: number): Promise<{ client: Socket; response: Response }> {
  const sent = Promise.withResolvers<Response>();
  const app = express();
  app.get('/', (_request, response) => {
    sent.resolve(response);
    return sendRouteResponse(large, response, { userId: 'u', stalledAfterMs });
  });
  const server = createServer(app).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
  client.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  return { client, response: await sent.promise };
}

test('a client that does not read a large body is disconnected', async () => {
  const { client, response } = await open(200);
  await once(response, 'close');
  expect(response.writableFinished).toBe(false);
  client.destroy();
});

test('a client that reads a large body slowly receives all of it, even after the timeout', async () => {
  const began = performance.now();
  const { client, response } = await open(1_500);
  const timer = setInterval(() => client.read(), 5);
  await once(response, 'close');
  clearInterval(timer);
  expect(response.writableFinished).toBe(true);
  expect(performance.now() - began).toBeGreaterThan(1_500);
  client.destroy();
});
