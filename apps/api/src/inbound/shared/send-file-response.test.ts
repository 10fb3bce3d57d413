import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from '@jest/globals';
import type { BinaryStore } from '@sluice/binary-store';
import type { BinaryRepository } from '@sluice/db';
import { type ExecutionId, UnavailableError, type WebhookResponse } from '@sluice/domain';
import { createLogger } from '@sluice/logger';
import express, { type Response } from 'express';
import { errorHandler } from '../../http/errors/error-handler.ts';
import { requestId } from '../../http/request/request-state.ts';
import { sendFormResponse } from '../form/send-form-response.ts';
import { type ResponseFiles, sendWorkflowResponse } from './send-response.ts';

const servers: Server[] = [];
const sockets: Socket[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

const content = gzipSync('abc');
const executionId = '1' as ExecutionId;
const file = { id: 'file', mimeType: 'image/png', fileName: 'a.png' };
const outcome: WebhookResponse = {
  status: 201,
  headers: { 'Content-Encoding': 'gzip', 'Cache-Control': 'public, max-age=60', 'X-Own': '1' },
  body: { kind: 'file', file },
};
const page: WebhookResponse = { ...outcome, body: { kind: 'page', title: 'Done', message: '', file } };

type Send = (files: ResponseFiles, response: Response) => Promise<void>;
const senders: [string, Send][] = [
  ['a webhook', (files, response) => sendWorkflowResponse(files, response, { executionId, outcome })],
  ['a form', (files, response) => sendFormResponse(files, response, { executionId, outcome })],
  [
    'the page of a form',
    (files, response) => sendFormResponse(files, response, { executionId, outcome: page, fileOnly: true }),
  ],
];

/** A server that sends a file with `send`. `open` opens the file. */
async function serve(send: Send, open: BinaryStore['open'], mimeType = 'image/png'): Promise<string> {
  const storedFile = { id: 'file', fileName: 'a.png', mimeType, size: content.length };
  const binaries = { findReadable: async () => storedFile } as unknown as BinaryRepository;
  const app = express();
  app.use(requestId);
  app.get('/', (_request, response) => send({ binaries, store: { open } as BinaryStore }, response));
  app.use(errorHandler(createLogger({ name: 'test', level: 'silent' })));
  const server = createServer(app).listen(0, '127.0.0.1');
  servers.push(server);
  server.on('connection', (socket) => sockets.push(socket));
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

test.each(senders)('a file of %s that cannot be opened fails before the headers are sent', async (_, send) => {
  const url = await serve(send, async () => {
    throw new UnavailableError('the storage is away');
  });

  const response = await fetch(url);

  expect(response.status).toBe(503);
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  for (const name of ['content-encoding', 'cache-control', 'content-disposition', 'content-security-policy', 'x-own'])
    expect([name, response.headers.get(name)]).toEqual([name, null]);
  expect(await response.json()).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
});

test.each(senders)('a file of %s is sent with the headers of the response', async (_, send) => {
  const url = await serve(send, async () => Readable.from([content]));

  const response = await fetch(url);

  expect(response.status).toBe(201);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'image/png',
    'content-encoding': 'gzip',
    'content-length': `${content.length}`,
    'x-own': '1',
  });
  expect(await response.text()).toBe('abc');
});

test.each(senders)('a client that does not read a file of %s is disconnected after two minutes', async (_, send) => {
  const rest = Promise.withResolvers<Buffer>();
  const bytes = async function* () {
    yield content.subarray(0, 1);
    yield await rest.promise;
  };
  const url = await serve(send, async () => Readable.from(bytes()));
  const response = await fetch(url);
  expect(sockets.at(-1)?.timeout).toBe(120_000);
  rest.resolve(content.subarray(1));
  expect(await response.text()).toBe('abc');
});

test.each<[Record<string, string>, string]>([
  [{}, 'application/octet-stream'],
  [{ 'content-type': 'image/png' }, 'image/png'],
])('bytes are sent unchanged, with the headers %j', async (headers, type) => {
  const body = { kind: 'bytes', base64: content.toString('base64') } as const;
  const send: Send = (files, response) =>
    sendWorkflowResponse(files, response, { executionId, outcome: { status: 200, headers, body } });
  const response = await fetch(await serve(send, () => Promise.reject(new Error('opened'))));
  expect(response.headers.get('content-type')).toBe(type);
  expect(Buffer.from(await response.arrayBuffer())).toEqual(content);
});

test.each(senders)('HEAD for a file of %s does not open the file', async (_, send) => {
  const url = await serve(send, () => Promise.reject(new Error('opened')));

  const response = await fetch(url, { method: 'HEAD' });

  expect(response.status).toBe(201);
  expect(response.headers.get('content-type')).toBe('image/png');
});

test.each(senders.slice(0, 2))('a file of %s has no type whose parts could set cookies', async (_, send) => {
  const url = await serve(send, async () => Readable.from([content]), 'multipart/x-mixed-replace; boundary=a');
  expect((await fetch(url)).headers.get('content-type')).toBe('application/octet-stream');
});
