import { createServer, type RequestListener } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import type { HttpBodyStream, HttpRequest, HttpStreamedResponse } from '@sluice/node-sdk';
import { createHttpClient } from './http-client.ts';
import { listening } from './testing/loopback-server.ts';

const signal = new AbortController().signal;
const client = createHttpClient({ ssrfProtection: 'off', ssrfAllow: [] });
let handle: RequestListener;

const server = await listening(createServer((request, response) => handle(request, response)));
const base = server.url;
afterEach(() => {
  handle = (_, response) => response.end();
});
afterAll(async () => {
  await client.close();
  await server.close();
});

/** Counts how often it was opened and how many bytes were read. */
function source(chunks: number, byteLength?: number): HttpBodyStream & { opened: number; read: number } {
  const counted = {
    opened: 0,
    read: 0,
    ...(byteLength !== undefined && { byteLength }),
    async *open() {
      counted.opened++;
      for (let index = 0; index < chunks; index++) {
        await delay(0);
        counted.read += 1_000;
        yield Buffer.alloc(1_000, index);
      }
    },
  };
  return counted;
}

const post = (body: HttpBodyStream, more: Partial<HttpRequest> = {}) =>
  client.request({ method: 'POST', url: base, body, ...more }, signal);

describe('a streamed request body', () => {
  test.each([
    ['with its length', 3_000, { 'content-length': '3000' }],
    ['in chunks if the length is unknown', undefined, { 'transfer-encoding': 'chunked' }],
  ])('is sent %s', async (_, byteLength, headers) => {
    let received: Buffer | undefined;
    let sentHeaders: object = {};
    handle = async (request, response) => {
      sentHeaders = request.headers;
      received = await buffer(request);
      response.end();
    };
    await post(source(3, byteLength));
    expect(received).toEqual(Buffer.concat([0, 1, 2].map((value) => Buffer.alloc(1_000, value))));
    expect(sentHeaders).toMatchObject(headers);
  });

  test('is opened again for a redirect that repeats it and for the response to a challenge', async () => {
    const sizes: number[] = [];
    handle = async (request, response) => {
      sizes.push((await buffer(request)).length);
      if (request.url === '/') response.writeHead(307, { location: '/next' }).end();
      else if (!request.headers.authorization) response.writeHead(401).end();
      else response.end('done');
    };
    const body = source(2);
    const authentication = {
      answerChallenge: (request: HttpRequest) => ({ ...request, headers: { ...request.headers, authorization: 'x' } }),
    };
    const { status } = await post(body, { maxRedirects: 2, authentication });
    expect([status, body.opened, sizes]).toEqual([200, 3, [2_000, 2_000, 2_000]]);
  });

  test('that ends early or fails is HTTP_FAILED', async () => {
    handle = (request, response) => void request.resume().on('end', () => response.end());
    await expect(post(source(1, 2_000))).rejects.toMatchObject({ code: 'HTTP_FAILED' });
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('x');
      throw new Error('the disk is gone');
    }
    await expect(post({ open: failing })).rejects.toMatchObject({ code: 'HTTP_FAILED' });
  });

  test('is not read further after the request is aborted', async () => {
    const controller = new AbortController();
    handle = () => controller.abort(new Error('canceled'));
    const body = source(100_000);
    const request = client.request({ method: 'POST', url: base, body }, controller.signal);
    await expect(request).rejects.toThrow('canceled');
    let read = -1;
    while (read !== body.read) {
      read = body.read;
      await delay(50);
    }
    expect(read).toBeLessThan(100_000_000);
  });
});

const stream = <T>(read: (response: HttpStreamedResponse) => Promise<T>, more: Partial<HttpRequest> = {}) =>
  client.stream({ method: 'GET', url: base, ...more }, signal, read);

describe('a streamed response', () => {
  test('is decoded while it arrives', async () => {
    handle = (_, response) => response.writeHead(200, { 'content-encoding': 'gzip', 'x-a': 'b' }).end(gzipSync('plain'));
    const result = await stream(async ({ status, headers, body }) => [status, headers['x-a'], `${await buffer(body)}`]);
    expect(result).toEqual([200, 'b', 'plain']);
  });

  test('applies back-pressure to the sender', async () => {
    let sent = 0;
    handle = async (_, response) => {
      for (let index = 0; index < 1_000 && !response.destroyed; index++) {
        sent += 100_000;
        if (!response.write(Buffer.alloc(100_000)))
          await new Promise((resolve) => {
            response.once('drain', resolve);
            setTimeout(resolve, 500).unref();
          });
      }
      response.end();
    };
    await stream(async ({ body }) => {
      for await (const _ of body) {
        await delay(100);
        break;
      }
    });
    expect(sent).toBeLessThan(50_000_000);
  });

  test.each<[string, Partial<HttpRequest>, string]>([
    ['its limit', { maxResponseBytes: 10 }, 'HTTP_TOO_LARGE'],
    ['the timeout', { timeoutMs: 100 }, 'HTTP_TIMEOUT'],
  ])('%s applies while it is read', async (_, more, code) => {
    handle = (__, response) => {
      response.write('more than ten bytes');
    };
    await expect(stream(({ body }) => buffer(body), more)).rejects.toMatchObject({ code });
  });

  test('that breaks off is HTTP_FAILED; errors of the reader are thrown unchanged', async () => {
    handle = (_, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('start');
      setTimeout(() => response.destroy(), 20);
    };
    await expect(stream(({ body }) => buffer(body))).rejects.toMatchObject({ code: 'HTTP_FAILED' });
    const failure = new Error('the disk is full');
    await expect(stream(() => Promise.reject(failure))).rejects.toBe(failure);
  });

  test('with an unread body releases its socket', async () => {
    const closed = new Promise((resolve) => {
      handle = (request, response) => {
        request.socket.once('close', resolve);
        response.write(Buffer.alloc(1_000_000));
      };
    });
    expect(await stream(async ({ status }) => status)).toBe(200);
    await closed;
  });

  test('returns its connection to the pool after a complete read', async () => {
    const sockets = new Set<unknown>();
    handle = (request, response) => {
      sockets.add(request.socket);
      response.end('x');
    };
    const fresh = createHttpClient({ ssrfProtection: 'off', ssrfAllow: [] });
    for (let index = 0; index < 10; index++) {
      await fresh.stream({ method: 'GET', url: base }, signal, ({ body }) => buffer(body));
    }
    await fresh.close();
    // The pool uses another socket while the first is being returned.
    expect(sockets.size).toBeLessThanOrEqual(2);
  });
});

test('header names keep their case on request', async () => {
  let raw: string[] = [];
  handle = ({ rawHeaders }, response) => {
    raw = rawHeaders;
    response.end();
  };
  const headers = { 'X-Api-KEY': 'k', Accept: 'text/csv' };
  await client.request({ method: 'GET', url: base, headers, keepHeaderCase: true }, signal);
  expect(raw).toEqual(expect.arrayContaining(['X-Api-KEY', 'Accept']));
  await client.request({ method: 'GET', url: base, headers }, signal);
  expect(raw).toEqual(expect.arrayContaining(['x-api-key', 'accept']));
});
