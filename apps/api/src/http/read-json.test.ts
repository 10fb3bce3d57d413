import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import express, { type ErrorRequestHandler, type Request, type Response } from 'express';
import { readJson } from './read-json.ts';

const limitBytes = 17 * 1024 * 1024;

/** Status of the response to a body, and the longest that the event loop was held meanwhile, in milliseconds of processor time. */
async function post(body: Buffer): Promise<{ status: number; stallMs: number }> {
  const app = express();
  app.post('/', readJson({ limitBytes, maxDepth: 100 }), (_request: Request, response: Response) => void response.end());
  const failed: ErrorRequestHandler = (_error, _request, response, _next) => void response.status(400).end();
  app.use(failed);
  const server = createServer(app).listen(0);
  const { port } = server.address() as AddressInfo;
  const watch = watchLoop();
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const request = send({ port, method: 'POST', headers: { 'content-type': 'application/json' } }, (response) => {
    response.resume().on('end', () => resolve(response.statusCode ?? 0));
  });
  request.on('error', reject).end(body);
  const status = await promise;
  const stallMs = watch.end();
  server.close();
  return { status, stallMs };
}

function watchLoop(): { end(): number } {
  const now = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1_000;
  };
  let [longest, last] = [0, now()];
  const tick = () => {
    longest = Math.max(longest, now() - last);
    last = now();
  };
  const timer = setInterval(tick, 1);
  return {
    end() {
      clearInterval(timer);
      tick();
      return longest;
    },
  };
}

test.each<[string, string, number]>([
  ['objects', `[${'{},'.repeat(1_900_000)}{}]`, 200],
  ['numbers', `[${'1,'.repeat(8_000_000)}1]`, 200],
  ['a text', `"${'\\n'.repeat(8_000_000)}"`, 200],
  ['more parts than are read', `[${'{},'.repeat(2_100_000)}{}]`, 400],
  ['new keys', `{${Array.from({ length: 120_000 }, (_, i) => `"key${i}":0`).join(',')}}`, 400],
])('a body of several megabytes does not hold the event loop: %s', async (_, body, status) => {
  const answered = await post(Buffer.from(body));
  expect(answered.status).toBe(status);
  expect(answered.stallMs).toBeLessThan(250);
});
