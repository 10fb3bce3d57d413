import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { listening } from '@sluice/http-client/testing';
import express, { type ErrorRequestHandler } from 'express';
import { jsonBody } from './read-json.ts';

test('a body sent one byte at a time is rejected before it exhausts memory', async () => {
  const app = express();
  const answer: ErrorRequestHandler = (error, _request, response, _next) => void response.status(413).send(error.message);
  app.post('/', jsonBody({ limitBytes: 1_000_000, maxDepth: 10 }), (_request, response) => void response.send('read'));
  app.use(answer);
  const server = await listening(createServer(app));
  const socket = connect(server.port, '127.0.0.1').on('error', () => {});
  socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n');
  socket.write('1\r\n \r\n'.repeat(300_000));
  const [head] = await once(socket, 'data');
  expect(String(head)).toMatch(/^HTTP\/1\.1 413 [\s\S]*too many chunks$/);
  socket.destroy();
  await server.close();
});

test('an empty chunked body, which proxies send for a request without a body, needs no content type', async () => {
  const app = express();
  const answer: ErrorRequestHandler = (error, _request, response, _next) => void response.json({ code: error.code });
  app.post('/', jsonBody({ limitBytes: 1_000, maxDepth: 10 }), ({ body }, response) => void response.json({ body }));
  app.use(answer);
  const server = await listening(createServer(app));
  const post = async (headers: string, body: string) => {
    const socket = connect(server.port, '127.0.0.1');
    socket.write(`POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\ntransfer-encoding: chunked\r\n${headers}\r\n${body}`);
    return JSON.parse((await text(socket)).split('\r\n\r\n')[1] ?? '');
  };
  const empty = '0\r\n\r\n';
  const refused = { code: 'UNSUPPORTED_MEDIA_TYPE' };
  try {
    expect(await post('', empty)).toEqual({ body: {} });
    expect(await post('', `2\r\n{}\r\n${empty}`)).toEqual(refused);
    expect(await post('content-type: text/plain\r\n', empty)).toEqual(refused);
  } finally {
    await server.close();
  }
});
