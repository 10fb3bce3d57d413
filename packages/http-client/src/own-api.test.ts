import { createServer } from 'node:http';
import { afterAll, expect, test } from '@jest/globals';
import type { HttpRequest } from '@sluice/node-sdk';
import { createHttpClient } from './http-client.ts';
import { listening } from './testing/loopback-server.ts';

const { signal } = new AbortController();
const ownApi = { ownApi: true };

const server = await listening(
  createServer(({ url = '' }, response) => {
    if (url.endsWith('/moved')) response.writeHead(302, { location: '/base/metrics' });
    response.end(url);
  }),
);
const { hostname: host, port } = new URL(server.url);
const base = `${server.url}/base`;
const ownEndpoints = [{ host, port: Number(port) }];
const client = createHttpClient({ ssrfProtection: 'on', ssrfAllow: [], ownEndpoints, ownApiUrl: `${base}/api/v1` });
afterAll(async () => {
  await client.close();
  await server.close();
});

const get = (url: string, more: Partial<HttpRequest> = { authentication: ownApi }) =>
  client.request({ method: 'GET', url, ...more }, signal);

test('a request with a credential for the public API reaches it', async () => {
  expect(Buffer.from((await get(`${base}/api/v1/workflows?a=1`)).body).toString()).toBe('/base/api/v1/workflows?a=1');
});

test.each<[string, string, Partial<HttpRequest> | undefined]>([
  ['without the credential', '/api/v1/workflows', {}],
  ['with another credential', '/api/v1/workflows', { authentication: { authenticate: (request) => request } }],
  ['to another path', '/metrics', undefined],
  ['to a path with the same start', '/api/v1x', undefined],
  ['to a path above', '/api/v1/../../metrics', undefined],
  ['to an encoded path above', '/api/v1/%2e%2e/%2E%2E/metrics', undefined],
  ['to a path above with encoded slashes', '/api/v1/..%2F..%2fmetrics', undefined],
  ['to a path above with encoded backslashes', '/api/v1/..%5C..%5cmetrics', undefined],
  ['to an encoded path above with encoded slashes', '/api/v1/%2e%2e%2fmetrics', undefined],
  ['to a path above with parameters', '/api/v1/..;/..;/metrics', undefined],
])('a request %s does not reach it', async (_, path, more) => {
  await expect(get(`${base}${path}`, more)).rejects.toMatchObject({ code: 'HTTP_BLOCKED' });
});

test('a request with a proxy, and another port, are blocked despite the credential', async () => {
  const proxied = get(`${base}/api/v1/workflows`, { authentication: ownApi, proxy: server.url });
  await expect(proxied).rejects.toMatchObject({ code: 'HTTP_BLOCKED' });
  await expect(get('http://127.0.0.1:1/base/api/v1/workflows')).rejects.toMatchObject({ code: 'HTTP_BLOCKED' });
});

test('its redirect is a response, which is not followed', async () => {
  const moved = await get(`${base}/api/v1/moved`, { authentication: ownApi, maxRedirects: 5 });
  expect([moved.status, moved.headers['location']]).toEqual([302, '/base/metrics']);
});
