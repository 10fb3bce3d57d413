import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createHttpClient } from '@sluice/http-client';
import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { runForJson } from '../../testing/fake-context.ts';
import { type HttpTestServer, httpServer, type Received } from '../../testing/http-server.ts';
import { httpRequest } from './http-request.ts';

const http = createHttpClient({ ssrfProtection: 'off', ssrfAllow: [] });
let server: HttpTestServer;
let reply = '{"ok":true}';
let status = 200;

beforeAll(async () => {
  server = await httpServer((request, response) => {
    if (request.url === '/moved') response.writeHead(302, { location: '/there' }).end();
    else response.writeHead(status, { 'content-type': 'application/json' }).end(reply);
  });
});
afterEach(() => {
  server.received.length = 0;
  reply = '{"ok":true}';
  status = 200;
});
afterAll(async () => {
  await http.close();
  await server.close();
});

const run = (typeVersion: number, parameters: JsonObject, credentials: Record<string, JsonObject> = {}) =>
  runForJson(httpRequest, { http, typeVersion, credentials, parameters: { url: `${server.origin}/in`, ...parameters } });

async function sent(typeVersion: number, parameters: JsonObject): Promise<Received | undefined> {
  await run(typeVersion, parameters);
  return server.received[0];
}

const ui = (...parameter: JsonObject[]): JsonObject => ({ parameter });

describe.each([1, 2])('version %d', (version) => {
  test.each<[JsonObject, Partial<Received>]>([
    [{}, { method: 'GET', url: '/in' }],
    [{ queryParametersUi: ui({ name: 'a', value: 'b c' }, { name: '' }) }, { url: '/in?a=b%20c' }],
    [{ jsonParameters: true, queryParametersJson: '{"a":[1,2]}' }, { url: '/in?a%5B0%5D=1&a%5B1%5D=2' }],
    [{ jsonParameters: true, queryParametersJson: { a: [1, 2] }, options: { useQueryString: true } }, { url: '/in?a=1&a=2' }],
    [{ jsonParameters: true, queryParametersJson: '', headerParametersJson: '' }, { url: '/in' }],
  ])('query %j', async (parameters, expected) => {
    expect(await sent(version, parameters)).toMatchObject(expected);
  });

  test.each<[JsonObject]>([
    [{ headerParametersUi: ui({ name: 'X-Key', value: 'k' }) }],
    [{ jsonParameters: true, headerParametersJson: '{"X-Key":"k"}' }],
  ])('headers %j', async (parameters) => {
    expect((await sent(version, parameters))?.headers['x-key']).toBe('k');
  });

  test.each<[JsonObject, string, string | undefined]>([
    [{ bodyParametersUi: ui({ name: 'a.b', value: 1 }) }, '{"a.b":1}', 'application/json'],
    [{ jsonParameters: true, bodyParametersJson: '{"a": 1}' }, '{"a": 1}', 'application/json'],
    [{ jsonParameters: true, bodyParametersJson: [1] }, '[1]', 'application/json'],
    [
      { bodyParametersUi: ui({ name: 'a', value: 'b c' }), options: { bodyContentType: 'form-urlencoded' } },
      'a=b+c',
      'application/x-www-form-urlencoded',
    ],
    [
      { jsonParameters: true, bodyParametersJson: '{"a":"b"}', options: { bodyContentType: 'form-urlencoded' } },
      'a=b',
      'application/x-www-form-urlencoded',
    ],
    [
      { jsonParameters: true, bodyParametersJson: '{"a":[{"b":"c"}]}', options: { bodyContentType: 'form-urlencoded' } },
      'a%5B0%5D%5Bb%5D=c',
      'application/x-www-form-urlencoded',
    ],
    [
      {
        jsonParameters: true,
        bodyParametersJson: '<a/>',
        options: { bodyContentType: 'raw', bodyContentCustomMimeType: 'text/xml' },
      },
      '<a/>',
      'text/xml',
    ],
    [{}, '', undefined],
  ])('body %j', async (parameters, body, type) => {
    const received = await sent(version, { requestMethod: 'POST', ...parameters });
    expect([received?.body.toString(), received?.headers['content-type']]).toEqual([body, type]);
  });

  test('a body is sent with methods that allow a body', async () => {
    const received = await sent(version, { bodyParametersUi: ui({ name: 'a', value: 1 }) });
    expect(received?.body).toHaveLength(0);
  });

  test.each<[JsonObject, number]>([
    [{}, 2],
    [{ options: { followRedirect: false } }, 1],
    [{ requestMethod: 'POST' }, 1],
    [{ requestMethod: 'POST', options: { followAllRedirects: true } }, 2],
  ])('redirects with %j: %d requests', async (parameters, requests) => {
    await run(version, { url: `${server.origin}/moved`, ...parameters }).catch(() => {});
    expect(server.received).toHaveLength(requests);
  });

  test.each<[JsonObject, string, JsonValue[]]>([
    [{}, '{"a":1}', [{ a: 1 }]],
    [{}, '[{"a":1},{"a":2}]', [[{ a: 1 }, { a: 2 }]]],
    [{ options: { splitIntoItems: true } }, '[{"a":1},{"a":2}]', [{ a: 1 }, { a: 2 }]],
    [{ responseFormat: 'string' }, '{"a":1}', [{ data: '{"a":1}' }]],
    [{ responseFormat: 'string', dataPropertyName: 'page' }, 'x', [{ page: 'x' }]],
  ])('response with %j: %s', async (parameters, body, expected) => {
    reply = body;
    expect(await run(version, parameters)).toEqual(expected);
  });

  test('returns the full response, regardless of its status', async () => {
    status = 500;
    expect(await run(version, { options: { fullResponse: true, ignoreResponseCode: true } })).toMatchObject([
      { body: { ok: true }, statusCode: 500, headers: { 'content-type': 'application/json' } },
    ]);
    await expect(run(version, {})).rejects.toMatchObject({ code: 'NODE_API_ERROR' });
  });

  test('a response that is not JSON is an error if JSON is expected', async () => {
    reply = 'x';
    await expect(run(version, {})).rejects.toThrow('not valid JSON');
  });
});

test.each<[number, JsonObject]>([
  [1, { authentication: 'headerAuth' }],
  [2, { authentication: 'genericCredentialType', genericAuthType: 'httpHeaderAuth' }],
])('version %d: credentials by %j', async (version, parameters) => {
  await run(version, parameters, { httpHeaderAuth: { name: 'X-Key', value: 'v' } });
  expect(server.received[0]?.headers['x-key']).toBe('v');
});
