import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { HttpRequest, HttpResponse } from '@sluice/node-sdk';
import { createHttpClient } from './http-client.ts';
import { type LoopbackServer, listening } from './testing/loopback-server.ts';

const signal = new AbortController().signal;
const text = (response: HttpResponse) => Buffer.from(response.body).toString();

describe('http client', () => {
  let server: LoopbackServer;
  let base: string;
  let handle: RequestListener;
  const open = createHttpClient({ ssrfProtection: 'off', ssrfAllow: [] });
  const guarded = createHttpClient({ ssrfProtection: 'on', ssrfAllow: [] });

  beforeAll(async () => {
    server = await listening(createServer((request, response) => handle(request, response)));
    base = server.url;
  });
  afterEach(() => {
    handle = (_, response) => response.end();
  });
  afterAll(async () => {
    await Promise.all([open.close(), guarded.close()]);
    await server.close();
  });

  const get = (url: string, more: Partial<HttpRequest> = {}) => open.request({ method: 'GET', url, ...more }, signal);

  test('any status is a response, with lower-case headers and cookies as a list', async () => {
    handle = (_, response) => {
      response.writeHead(418, 'Short and stout', { 'X-Kind': ['a', 'b'], 'Set-Cookie': 'c=d' });
      response.end('tea');
    };
    const response = await get(`${base}/pot`);
    expect(response).toMatchObject({ status: 418, statusText: 'Short and stout', url: `${base}/pot` });
    expect(response.headers['x-kind']).toBe('a, b');
    expect(response.headers['set-cookie']).toEqual(['c=d']);
    expect(text(response)).toBe('tea');
  });

  test.each([
    ['UTF-8', Buffer.from('x-name: café 日本\r\n'), 'café 日本'],
    ['Latin-1', Buffer.from('x-name: café\r\n', 'latin1'), 'café'],
  ])('a header in %s keeps its characters', async (_, header, expected) => {
    handle = (request) => {
      request.socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n');
      request.socket.end(Buffer.concat([header, Buffer.from('\r\n')]));
    };
    expect((await get(base)).headers['x-name']).toBe(expected);
  });

  test('method, headers, and body are sent, except headers that frame or route the message', async () => {
    const received: { request?: IncomingMessage; body: string } = { body: '' };
    handle = async (request, response) => {
      for await (const chunk of request) received.body += chunk;
      received.request = request;
      response.end();
    };
    const headers = { Host: 'internal.example', 'Content-Length': '1', 'Transfer-Encoding': 'chunked', 'X-Mine': ['1', '2'] };
    await get(`${base}/in?a=b`, { method: 'post', headers, body: 'grüße' });
    expect(received.request).toMatchObject({ method: 'POST', url: '/in?a=b' });
    expect(received.request?.headers).toMatchObject({ host: new URL(base).host, 'content-length': '7', 'x-mine': '1, 2' });
    expect(received.body).toBe('grüße');
  });

  test.each([{ a: 1 }, 7, null])(
    'an unsupported body is rejected, and the error lists the supported types: %j',
    async (body) => {
      await expect(get(base, { method: 'POST', body: body as never })).rejects.toMatchObject({
        code: 'HTTP_INVALID_REQUEST',
        message: expect.stringContaining('JSON.stringify'),
      });
    },
  );

  describe('with SSRF protection', () => {
    const port = () => new URL(base).port;

    test.each([
      '127.0.0.1',
      '0x7f.1',
      '2130706433',
      '127.1',
      '0177.0.0.1',
      '127.0.0.1.',
      '[::ffff:127.0.0.1]',
      '[::1]',
      '0.0.0.0',
      'localhost',
    ])('http://%s is blocked and never reached', async (host) => {
      let reached = false;
      handle = (_, response) => {
        reached = true;
        response.end();
      };
      const url = `http://${host}:${port()}/`;
      await expect(guarded.request({ method: 'GET', url }, signal)).rejects.toMatchObject({ code: 'HTTP_BLOCKED' });
      expect(reached).toBe(false);
    });

    test('the error names the policy but no address', async () => {
      const error = await guarded.request({ method: 'GET', url: `http://localhost:${port()}/` }, signal).catch((e: Error) => e);
      expect(error).toMatchObject({ message: expect.not.stringMatching(/127|::1|localhost/) });
    });

    test.each([
      ['127.0.0.0/8', '127.0.0.1'],
      ['localhost', 'localhost'],
      ['127.0.0.1', '0x7f.1'],
    ])('the allow-list entry %s allows http://%s', async (entry, host) => {
      const client = createHttpClient({ ssrfProtection: 'on', ssrfAllow: [entry] });
      handle = (_, response) => response.end('in');
      expect(text(await client.request({ method: 'GET', url: `http://${host}:${port()}/` }, signal))).toBe('in');
      await client.close();
    });

    test('a redirect to a blocked address is not followed', async () => {
      const client = createHttpClient({ ssrfProtection: 'on', ssrfAllow: ['127.0.0.1'] });
      handle = (_, response) => response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data' }).end();
      const followed = client.request({ method: 'GET', url: base, maxRedirects: 3 }, signal);
      await expect(followed).rejects.toMatchObject({ code: 'HTTP_BLOCKED' });
      await client.close();
    });
  });

  test.each(['ftp://example.org/', 'file:///etc/passwd', '/relative', 'http://user:pass@example.org/', 'http://', ''])(
    'the URL "%s" is refused',
    async (url) => {
      await expect(get(url)).rejects.toMatchObject({ code: 'HTTP_INVALID_URL' });
    },
  );

  test.each<Partial<HttpRequest>>([
    { method: 'CONNECT' },
    { method: 'GET\r\nX: y' },
    { headers: { 'X-A': 'b\r\nX-C: d' } },
    { headers: { 'a b': 'c' } },
  ])('a request that is not valid HTTP (%j) is refused', async (more) => {
    await expect(get(base, more)).rejects.toMatchObject({ code: 'HTTP_INVALID_REQUEST' });
  });

  test.each([
    ['X-A', 'b\r\nX-C: d'],
    ['a b', 'c'],
  ])('a header that cannot be sent is named, without its value: %s', async (name, value) => {
    const message = `the request cannot be sent: its header "${name}" is not valid`;
    await expect(get(base, { headers: { Ok: '1', [name]: value } })).rejects.toMatchObject({ message });
  });

  describe('redirects', () => {
    const countdown: RequestListener = (request, response) => {
      const remaining = Number(request.url?.slice(1));
      if (remaining === 0) response.end('arrived');
      else response.writeHead(302, { location: `/${remaining - 1}` }).end('elsewhere');
    };

    test('are returned by default', async () => {
      handle = countdown;
      expect(await get(`${base}/1`)).toMatchObject({ status: 302, url: `${base}/1` });
    });

    test('are followed up to the limit', async () => {
      handle = countdown;
      const response = await get(`${base}/3`, { maxRedirects: 3 });
      expect(response).toMatchObject({ status: 200, url: `${base}/0` });
      expect(text(response)).toBe('arrived');
      await expect(get(`${base}/4`, { maxRedirects: 3 })).rejects.toMatchObject({ code: 'HTTP_TOO_MANY_REDIRECTS' });
    });

    test('may name their location in UTF-8', async () => {
      handle = (request, response) => {
        if (request.url === '/') response.writeHead(302, { location: Buffer.from('/grüße').toString('latin1') }).end();
        else response.end(request.url);
      };
      expect(text(await get(base, { maxRedirects: 1 }))).toBe('/gr%C3%BC%C3%9Fe');
    });
  });

  describe('limits', () => {
    const hang = (response: ServerResponse) => {
      response.writeHead(200);
      response.write('first');
    };

    test.each([
      ['that sends no header', () => undefined],
      ['whose body never ends', hang],
    ])('a server %s causes HTTP_TIMEOUT and a closed socket', async (_, answer) => {
      const closed = new Promise((resolve) => {
        handle = (request, response) => {
          request.socket.once('close', resolve);
          answer(response);
        };
      });
      await expect(get(base, { timeoutMs: 1_000 })).rejects.toMatchObject({ code: 'HTTP_TIMEOUT', retryable: true });
      await closed;
    });

    test('an abort rejects with its reason and closes the socket, even if the server is silent', async () => {
      const controller = new AbortController();
      const reason = new Error('canceled');
      const closed = new Promise<void>((resolve) => {
        handle = (request, response) => {
          hang(response);
          request.socket.once('close', () => resolve());
          controller.abort(reason);
        };
      });
      await expect(open.request({ method: 'GET', url: base }, controller.signal)).rejects.toBe(reason);
      await closed;
    });

    test('an aborted signal prevents the request', async () => {
      await expect(open.request({ method: 'GET', url: base }, AbortSignal.abort('late'))).rejects.toBe('late');
    });

    test('a body over the limit is cut off', async () => {
      handle = (_, response) => response.end(Buffer.alloc(2_000));
      await expect(get(base, { maxResponseBytes: 1_999 })).rejects.toMatchObject({ code: 'HTTP_TOO_LARGE' });
      expect((await get(base, { maxResponseBytes: 2_000 })).body).toHaveLength(2_000);
    });

    test.each([
      ['gzip', gzipSync(Buffer.alloc(50_000_000))],
      ['br', brotliCompressSync(Buffer.alloc(50_000_000))],
      ['zstd', zstdCompressSync(Buffer.alloc(50_000_000))],
    ])('a %s bomb is cut off at the limit of decoded bytes', async (encoding, bomb) => {
      handle = (_, response) => response.writeHead(200, { 'content-encoding': encoding }).end(bomb);
      await expect(get(base, { maxResponseBytes: 1_000_000 })).rejects.toMatchObject({ code: 'HTTP_TOO_LARGE' });
    });
  });

  test.each([
    ['gzip', gzipSync('plain')],
    ['br', brotliCompressSync('plain')],
    ['zstd', zstdCompressSync('plain')],
    ['deflate', deflateSync('plain')],
    ['deflate', deflateRawSync('plain')],
    ['deflate, gzip', gzipSync(deflateRawSync('plain'))],
    ['utf-8', Buffer.from('plain')],
  ])('a body with the encoding %s is decoded', async (encoding, body) => {
    handle = (_, response) => response.writeHead(200, { 'content-encoding': encoding }).end(body);
    expect(text(await get(base))).toBe('plain');
  });

  test.each([
    [204, 'gzip'],
    [200, 'gzip'],
    [200, 'deflate, br'],
  ])('a response %i without a body may still declare the encoding %s', async (status, encoding) => {
    handle = (_, response) => {
      response.writeHead(status, { 'content-encoding': encoding }).flushHeaders();
      response.end();
    };
    expect((await get(base)).body).toHaveLength(0);
  });

  test.each([
    ['of an unknown encoding', 'zip', Buffer.from('x'), 'is not supported'],
    ['whose encoding is broken', 'gzip', Buffer.from('not gzip'), 'does not have the encoding'],
    ['that is cut off', 'gzip', gzipSync('plain').subarray(0, -8), 'is not complete'],
    ['with three encodings', 'gzip, gzip, gzip', Buffer.from('x'), 'is not supported'],
  ])('a body %s is HTTP_FAILED', async (_, encoding, body, reason) => {
    handle = (_request, response) => response.writeHead(200, { 'content-encoding': encoding }).end(body);
    await expect(get(base)).rejects.toMatchObject({ code: 'HTTP_FAILED', message: expect.stringContaining(reason) });
  });

  test('a missing response is HTTP_FAILED, transient, with its cause', async () => {
    handle = (request) => request.socket.destroy();
    await expect(get(base)).rejects.toMatchObject({ code: 'HTTP_FAILED', retryable: true, message: /connection was/ });
  });

  describe('a connection that closes before the response', () => {
    let received: (string | undefined)[] = [];
    beforeEach(() => {
      received = [];
      handle = ({ method, socket }, response) => {
        if (received.push(method) === 1) socket.destroy();
        else response.end('done');
      };
    });

    test.each(['GET', 'HEAD', 'OPTIONS'])('is replaced once for %s', async (method) => {
      expect(await get(base, { method })).toMatchObject({ status: 200 });
      expect(received).toEqual([method, method]);
    });

    test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('fails a %s, which may have had its effect', async (method) => {
      await expect(get(base, { method })).rejects.toMatchObject({ code: 'HTTP_FAILED' });
      expect(received).toEqual([method]);
    });
  });

  test('close terminates a request in flight', async () => {
    const client = createHttpClient({ ssrfProtection: 'off', ssrfAllow: [] });
    handle = (_, response) => {
      response.writeHead(200).write('x');
      void client.close();
    };

    await expect(client.request({ method: 'GET', url: base }, signal)).rejects.toMatchObject({ code: 'HTTP_FAILED' });
  });
});
