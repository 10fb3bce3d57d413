import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, expect, test } from '@jest/globals';
import { within } from '@sluice/domain';
import express from 'express';
import { readBody } from '../../inbound/shared/read-body.ts';
import type { RequestFiles } from '../../inbound/shared/request-files.ts';
import { abandonUnreadBody } from './unread-body.ts';

const limits = { limitBytes: 1_000_000, maxDepth: 100 };
const part = '--b\r\nContent-Disposition: form-data; name="f"\r\n\r\nx\r\n';
const parts = Buffer.from(part.repeat(200_000));

const app = express();
app.use(abandonUnreadBody, async (request, response) => {
  await readBody(request, { limits, files: { take: 'none' }, into: {} as RequestFiles }).then(
    () => response.end(),
    () => response.status(413).end(),
  );
});
const server = createServer(app).listen(0, '127.0.0.1');
await new Promise((listening) => server.once('listening', listening));
afterAll(() => {
  server.close();
});

/**
 * Sends the part `sent` of a body, and records the response and the connection for a few seconds.
 */
async function send(contentType: string, sent: Buffer, length: number | undefined, connection = 'keep-alive') {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const seen = { response: '', isSent: false, isClosed: false };
  socket.on('data', (chunk) => {
    seen.response += chunk.toString('latin1');
  });
  socket.on('error', () => undefined);
  const framing = length === undefined ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`;
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\nConnection: ${connection}\r\nContent-Type: ${contentType}\r\n${framing}\r\n\r\n`);
  if (length === undefined) socket.write(`${sent.length.toString(16)}\r\n`);
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => {
      seen.isClosed = true;
      resolve();
    });
  });
  const complete = new Promise<void>((resolve) => {
    socket.write(sent, (error) => {
      seen.isSent = !error;
      if (sent.length === length) resolve();
    });
  });
  await within(8_000, Promise.race([closed, complete]));
  if (!seen.isClosed) await new Promise((resolve) => setTimeout(resolve, 200));
  socket.destroy();
  return { ...seen, status: seen.response.slice(9, 12) };
}

const form = 'multipart/form-data; boundary=b';

test.each(['keep-alive', 'close'])(
  'a client that sends its whole rejected body before it reads still receives the response, with Connection: %s',
  async (connection) => {
    expect(await send(form, parts, parts.length, connection)).toMatchObject({ status: '413', isSent: true });
  },
);

test.each([
  ['a form', form, parts.length + 10, 'keep-alive'],
  ['a string', 'text/plain', undefined, 'keep-alive'],
  ['a string of one connection', 'text/plain', parts.length + 10, 'close'],
])('the connection of a client that never ends its body, %s, is closed quickly', async (_, contentType, length, connection) => {
  const started = performance.now();
  expect(await send(contentType, parts, length, connection)).toMatchObject({ status: '413', isClosed: true });
  expect(performance.now() - started).toBeLessThan(7_000);
});
