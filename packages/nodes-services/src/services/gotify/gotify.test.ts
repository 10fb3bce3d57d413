import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { type FakeRun, runForJson } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { example } from './gotify.example.ts';
import { gotify } from './gotify.ts';
import { gotifyServer } from './testing/gotify-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await gotifyServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const credentials = { gotifyApi: { url: 'https://push.example/', appApiToken: 'app1', clientApiToken: 'client1' } };
const run = (parameters: JsonObject, more: FakeRun = {}) =>
  runForJson(gotify, { parameters, http: server.http, credentials, ...more });
const sent = () =>
  server.received.map(({ method, url, body }) => [
    `${method} ${url}`,
    ...(body.length > 0 ? [JSON.parse(body.toString())] : []),
  ]);

test('the example', async () => {
  expect(await run(example.parameters)).toEqual(example.outputs?.[0]);
  expect(sent()).toEqual([['POST /message', { message: 'The backup is complete.', title: 'Backup', priority: 5 }]]);
});

test('a message may be Markdown', async () => {
  await run({ message: '**x**', options: { contentType: 'text/markdown' } });
  expect(sent()[0]?.[1]).toEqual({ message: '**x**', extras: { 'client::display': { contentType: 'text/markdown' } } });
});

test.each<[JsonObject, string[], number]>([
  [{ limit: 5 }, ['GET /message?limit=100'], 5],
  [{ returnAll: true }, ['GET /message?limit=100', 'GET /message?limit=100&since=2'], 101],
])('messages are read to the end, or to the limit: %j', async (parameters, requests, count) => {
  expect(await run({ operation: 'getAll', ...parameters })).toHaveLength(count);
  expect(sent().flat()).toEqual(requests);
});

test('a message is deleted by the client', async () => {
  expect(await run({ operation: 'delete', messageId: 7 })).toEqual([{ success: true }]);
  expect(sent()).toEqual([['DELETE /message/7']]);
});

test.each<[JsonObject, string]>([
  [{}, 'the parameter "message" is required'],
  [{ operation: 'delete' }, 'the parameter "messageId" is required'],
])('%j is refused before a request', async (parameters, message) => {
  await expect(run(parameters)).rejects.toMatchObject({ message, itemIndex: 0 });
  expect(server.received).toEqual([]);
});

test('an error includes the text from Gotify; a rate-limited request is retried', async () => {
  server.on('DELETE /message/:id', ({ count }) => {
    if (count === 1)
      return { status: 404, json: { error: 'Not Found', errorCode: 404, errorDescription: 'message does not exist' } };
    return count === 2 ? { status: 429, headers: { 'retry-after': '0' }, json: {} } : {};
  });
  expect(await run({ operation: 'delete', messageId: 7 }, { json: [{}, {}], continueOnFail: true })).toEqual([
    { error: 'Gotify: message does not exist (404)' },
    { success: true },
  ]);
});
