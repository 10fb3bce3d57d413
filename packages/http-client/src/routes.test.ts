import { createServer, type IncomingMessage, request as nodeRequest, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { HttpRequest, HttpResponse } from '@sluice/node-sdk';
import { createHttpClient } from './http-client.ts';
import { selfSigned } from './testing/certificate.ts';
import { type LoopbackServer, listening } from './testing/loopback-server.ts';

const signal = new AbortController().signal;
const open = createHttpClient({ ssrfProtection: 'off', ssrfAllow: [] });
const servers: LoopbackServer[] = [];

async function listen(server: Server): Promise<number> {
  const loopback = await listening(server);
  servers.push(loopback);
  return loopback.port;
}

let requests: IncomingMessage[] = [];

const plain = `http://127.0.0.1:${await listen(
  createServer((request, response) => {
    requests.push(request);
    response.end('plain');
  }),
)}`;
const options = { ...selfSigned, requestCert: true, rejectUnauthorized: false, ca: selfSigned.cert };
const secure = `https://127.0.0.1:${await listen(
  createTlsServer(options, (request, response) => {
    requests.push(request);
    if (request.url === '/away') response.writeHead(302, { location: secure.replace('127.0.0.1', 'localhost') }).end();
    else response.end(JSON.stringify({ client: (request.socket as TLSSocket).authorized }));
  }),
)}`;
afterEach(() => {
  requests = [];
});
afterAll(async () => {
  await open.close();
  for (const server of servers) await server.close();
});

const get = (url: string, more: Partial<HttpRequest> = {}, client = open) =>
  client.request({ method: 'GET', url, ...more }, signal);
const text = ({ body }: HttpResponse) => Buffer.from(body).toString();

describe('TLS', () => {
  test('an untrusted certificate is rejected with a clear reason', async () => {
    await expect(get(secure)).rejects.toMatchObject({
      code: 'HTTP_FAILED',
      message: 'no response: the certificate is self-signed',
    });
  });

  test.each([{ rejectUnauthorized: false }, { ca: selfSigned.cert }])(
    'an untrusted certificate is accepted on request: %j',
    async (tls) => {
      expect(text(await get(secure, { tls }))).toBe('{"client":false}');
      await expect(get(secure)).rejects.toMatchObject({ code: 'HTTP_FAILED' });
    },
  );

  test("a client certificate is presented only to the request's origin", async () => {
    const tls = { ca: selfSigned.cert, cert: selfSigned.cert, key: selfSigned.key };
    expect(text(await get(secure, { tls }))).toBe('{"client":true}');
    expect(text(await get(`${secure}/away`, { tls, maxRedirects: 1 }))).toBe('{"client":false}');
  });

  test('the guard applies regardless of certificates', async () => {
    const guarded = createHttpClient({ ssrfProtection: 'on', ssrfAllow: [] });
    const url = secure.replace('127.0.0.1', 'localhost');
    await expect(get(url, { tls: { rejectUnauthorized: false } }, guarded)).rejects.toMatchObject({ code: 'HTTP_BLOCKED' });
    await guarded.close();
    expect(requests).toEqual([]);
  });
});

describe('a proxy', () => {
  let port: number;
  let through: string[] = [];
  let password: string | undefined;

  beforeAll(async () => {
    const allowed = (request: IncomingMessage) =>
      password === undefined || request.headers['proxy-authorization'] === `Basic ${btoa(`u:${password}`)}`;
    const proxy = createServer((request, response) => {
      through.push(`${request.method} ${request.url}`);
      if (!allowed(request)) return void response.writeHead(407).end();
      const { 'proxy-authorization': _, ...headers } = request.headers;
      const onward = nodeRequest(request.url ?? '', { method: request.method, headers }, (received) => {
        response.writeHead(received.statusCode ?? 0, received.headers);
        received.pipe(response);
      });
      request.pipe(onward);
    });
    proxy.on('connect', (request: IncomingMessage, socket: Socket) => {
      through.push(`CONNECT ${request.url}`);
      if (!allowed(request)) return void socket.end('HTTP/1.1 407 No\r\n\r\n');
      const target = connect(Number(request.url?.split(':')[1]), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        target.pipe(socket).pipe(target);
      });
      for (const end of [target, socket]) end.on('error', () => {});
    });
    port = await listen(proxy);
  });
  afterEach(() => {
    through = [];
    password = undefined;
  });

  const proxy = (login = '') => ({ proxy: `http://${login}127.0.0.1:${port}` });

  test('receives the whole URL, or a tunnel request for TLS', async () => {
    expect(text(await get(`${plain}/a?b=c`, proxy()))).toBe('plain');
    expect(text(await get(secure, { ...proxy(), tls: { rejectUnauthorized: false } }))).toContain('client');
    expect(through).toEqual([`GET ${plain}/a?b=c`, `CONNECT ${secure.slice('https://'.length)}`]);
  });

  test('can omit the scheme', async () => {
    expect(text(await get(plain, { proxy: `127.0.0.1:${port}` }))).toBe('plain');
  });

  test('receives the password, but the target does not', async () => {
    password = 'p@ss';
    expect(text(await get(plain, proxy('u:p%40ss@')))).toBe('plain');
    expect(requests[0]?.headers).not.toHaveProperty('proxy-authorization');
    for (const url of [plain, secure]) {
      const refused = get(url, { ...proxy('u:wrong@'), tls: { rejectUnauthorized: false } });
      const message = 'no response: the proxy wants a user name and a password';
      await expect(refused).rejects.toMatchObject({ code: 'HTTP_FAILED', message });
    }
  });

  test.each(['socks5://127.0.0.1:1', 'ftp://127.0.0.1', 'http://', 'not a url'])('"%s" is not a proxy URL', async (url) => {
    await expect(get(plain, { proxy: url })).rejects.toMatchObject({ code: 'HTTP_INVALID_REQUEST' });
  });

  describe('with SSRF protection', () => {
    test.each(['127.0.0.1', 'localhost', '0x7f.1', '[::1]'])('inside the network at %s is blocked', async (host) => {
      const guarded = createHttpClient({ ssrfProtection: 'on', ssrfAllow: ['example.test'] });
      const blocked = get('http://example.test/', { proxy: `http://${host}:${port}` }, guarded);
      await expect(blocked).rejects.toMatchObject({ code: 'HTTP_BLOCKED' });
      await guarded.close();
      expect(through).toEqual([]);
    });

    test.each(['http://169.254.169.254/', 'https://169.254.169.254/', 'http://[::1]/'])('does not reach %s', async (url) => {
      const guarded = createHttpClient({ ssrfProtection: 'on', ssrfAllow: ['127.0.0.1'] });
      await expect(get(url, proxy(), guarded)).rejects.toMatchObject({ code: 'HTTP_BLOCKED' });
      await guarded.close();
      expect(through).toEqual([]);
    });

    test('receives no request for a name that cannot be checked', async () => {
      const guarded = createHttpClient({ ssrfProtection: 'on', ssrfAllow: ['127.0.0.1'] });
      await expect(get('http://nowhere.invalid/', proxy(), guarded)).rejects.toMatchObject({ code: 'HTTP_FAILED' });
      await guarded.close();
      expect(through).toEqual([]);
    });

    test('is checked for each hop of a redirect', async () => {
      const guarded = createHttpClient({ ssrfProtection: 'on', ssrfAllow: ['127.0.0.1'] });
      const redirecting = await listen(
        createServer((_, response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end()),
      );
      const url = `http://127.0.0.1:${redirecting}/`;
      await expect(get(url, { ...proxy(), maxRedirects: 2 }, guarded)).rejects.toMatchObject({ code: 'HTTP_BLOCKED' });
      await guarded.close();
      expect(through).toEqual([`GET ${url}`]);
    });
  });
});
