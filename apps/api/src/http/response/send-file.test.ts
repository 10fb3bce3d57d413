import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { afterEach, expect, test } from '@jest/globals';
import express from 'express';
import { sendFile } from './send-file.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

/**
 * A server that sends a file with the bytes of `source`. `failure` is the error that `sendFile`
 * threw.
 */
async function serve(source: Readable, size = 1_000_000) {
  const failure = Promise.withResolvers<unknown>();
  const file = { etag: '"1"', contentType: 'text/plain', fileName: null, size, open: async () => source };
  const app = express();
  app.get('/', (_request, response) => sendFile(file, response).then(() => failure.resolve(undefined), failure.resolve));
  const server = createServer(app).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, failure: failure.promise };
}

async function* endless(): AsyncGenerator<Buffer> {
  for (;;) yield Buffer.alloc(65_536);
}

test('a client that disconnects stops the file read without an error', async () => {
  const source = Readable.from(endless());
  const { url, failure } = await serve(source);
  const download = request(url).on('error', () => undefined);
  download.end();
  const [response] = await once(download, 'response');
  response.on('error', () => undefined);
  await once(response, 'data');
  download.destroy();
  await expect(failure).resolves.toBeUndefined();
  expect(source.destroyed).toBe(true);
});

test('a storage failure aborts the response, so that clients can detect the incomplete file', async () => {
  const broken = async function* () {
    yield Buffer.alloc(10);
    throw new Error('the storage broke');
  };
  const { url, failure } = await serve(Readable.from(broken()));
  await expect(fetch(url).then((response) => response.arrayBuffer())).rejects.toThrow();
  await expect(failure).resolves.toMatchObject({ message: 'the storage broke' });
});
