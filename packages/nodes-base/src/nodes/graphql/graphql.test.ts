import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createHttpClient } from '@sluice/http-client';
import type { JsonObject } from '@sluice/node-sdk';
import { type FakeRun, runForJson } from '../../testing/fake-context.ts';
import { type HttpTestServer, httpServer, type Received } from '../../testing/http-server.ts';
import { graphql } from './graphql.ts';

const http = createHttpClient({ ssrfProtection: 'off', ssrfAllow: [] });
let server: HttpTestServer;
let reply = { status: 200, body: '{"data":{"a":1}}' };

beforeAll(async () => {
  server = await httpServer((_, response) => {
    response.writeHead(reply.status).end(reply.body);
  });
});
afterEach(() => {
  server.received.length = 0;
  reply = { status: 200, body: '{"data":{"a":1}}' };
});
afterAll(async () => {
  await http.close();
  await server.close();
});

const run = (parameters: JsonObject, more: Partial<FakeRun> = {}) =>
  runForJson(graphql, { http, parameters: { endpoint: `${server.origin}/q`, query: '{ a }', ...parameters }, ...more });

async function sent(parameters: JsonObject, typeVersion = 1.1): Promise<Received | undefined> {
  await run(parameters, { typeVersion });
  return server.received[0];
}

describe('the request', () => {
  test.each<[number, JsonObject, string, string]>([
    [1, {}, '{ a }', 'application/graphql'],
    [1.1, {}, '{"query":"{ a }","variables":{}}', 'application/json'],
    [1.1, { requestFormat: 'graphql' }, '{ a }', 'application/graphql'],
    [
      1,
      { requestFormat: 'json', variables: '{"id":1}', operationName: 'A' },
      '{"query":"{ a }","variables":{"id":1},"operationName":"A"}',
      'application/json',
    ],
    [1.1, { variables: { id: 1 } }, '{"query":"{ a }","variables":{"id":1}}', 'application/json'],
  ])('version %d with %j', async (version, parameters, body, type) => {
    const received = await sent(parameters, version);
    expect([received?.method, received?.body.toString(), received?.headers['content-type']]).toEqual(['POST', body, type]);
  });

  test('has the query in the URL if the method is GET', async () => {
    expect(await sent({ requestMethod: 'GET' })).toMatchObject({ method: 'GET', url: '/q?query=%7B%20a%20%7D' });
  });

  test('has headers and a credential', async () => {
    const parameter: JsonObject[] = [{ name: 'X-A', value: 'b' }, { name: '' }];
    const headerParametersUi = { parameter };
    await run(
      { headerParametersUi, authentication: 'headerAuth' },
      { credentials: { httpHeaderAuth: { name: 'X-Key', value: 'v' } } },
    );
    expect(server.received[0]?.headers).toMatchObject({ 'x-a': 'b', 'x-key': 'v' });
  });

  test.each<[JsonObject, string]>([
    [{ query: ' ' }, '"query" is required'],
    [{ variables: '[1]' }, '"variables" must be a JSON object'],
    [{ variables: '{' }, '"variables" is not valid JSON'],
    [{ authentication: 'customAuth' }, '"authentication"'],
  ])('%j is refused', async (parameters, message) => {
    await expect(run(parameters)).rejects.toThrow(message);
  });
});

describe('the response', () => {
  test.each<[JsonObject, JsonObject]>([
    [{}, { data: { a: 1 } }],
    [{ responseFormat: 'string' }, { data: '{"data":{"a":1}}' }],
    [{ responseFormat: 'string', dataPropertyName: 'raw' }, { raw: '{"data":{"a":1}}' }],
  ])('with %j', async (parameters, expected) => {
    expect(await run(parameters)).toEqual([expected]);
  });

  test.each<[number, string, JsonObject]>([
    [200, '{"data":null,"errors":[{"message":"no field b"},{"message":"nor c"}]}', { message: /no field b; nor c/ as never }],
    [400, '{"errors":[{"message":"syntax"}]}', { message: /400 Bad Request: syntax/ as never }],
    [200, 'x', { message: 'the response is not valid JSON' }],
    [200, '5', { message: 'the response is not GraphQL: it is not a JSON object' }],
  ])('%d %s is an error', async (status, body, expected) => {
    reply = { status, body };
    const message = expected['message'] as unknown as string | RegExp;
    await expect(run({})).rejects.toMatchObject({ itemIndex: 0, message: expect.stringMatching(message) });
  });

  test('a failed item becomes an item with the error, its message, and its status if the node continues', async () => {
    reply = { status: 500, body: '' };
    const items = await run({}, { json: [{}, {}], continueOnFail: true });
    const error = expect.objectContaining({ message: expect.stringContaining('500'), status: 500, httpCode: '500' });
    expect(items).toEqual([{ error }, { error }]);
  });
});
