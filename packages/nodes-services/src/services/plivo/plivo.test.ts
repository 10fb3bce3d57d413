import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { type FakeRun, runForJson } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { example } from './plivo.example.ts';
import { plivo } from './plivo.ts';
import { plivoServer } from './testing/plivo-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await plivoServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const credentials = { plivoApi: { authId: 'MA1', authToken: 't1' } };
const run = (parameters: JsonObject, more: FakeRun = {}) =>
  runForJson(plivo, { parameters, http: server.http, credentials, ...more });
const sent = () => server.received.map(({ body }) => JSON.parse(body.toString()));
const numbers = { from: '14155551234', to: 14157654321 };

test('the example', async () => {
  expect(await run(example.parameters)).toEqual(example.outputs?.[0]);
  expect(sent()).toEqual([{ src: '14155551234', dst: '14157654321', text: 'Your order has been shipped.' }]);
});

test('media are sent with or without text', async () => {
  const mms = { ...numbers, resource: 'mms', media_urls: 'https://x.example/a.png, https://x.example/b.png' };
  await run({ ...mms, message: 'Look' });
  await run(mms);
  const media_urls = ['https://x.example/a.png', 'https://x.example/b.png'];
  const common = { src: '14155551234', dst: '14157654321', type: 'mms', media_urls };
  expect(sent()).toEqual([{ ...common, text: 'Look' }, common]);
});

test('a call gets its XML from the answer URL', async () => {
  const answer = { answer_url: 'https://x.example/answer', answer_method: 'GET' };
  expect(await run({ ...numbers, resource: 'call', ...answer })).toMatchObject([{ message: 'call fired' }]);
  expect(sent()).toEqual([{ from: '14155551234', to: '14157654321', ...answer }]);
});

test.each<[JsonObject, string]>([
  [{ to: '1', message: 'x' }, 'the parameter "from" is required'],
  [numbers, 'the parameter "message" is required'],
  [{ ...numbers, resource: 'mms' }, 'the parameter "media_urls" is required'],
  [{ ...numbers, resource: 'call' }, 'the parameter "answer_url" is required'],
])('%j is refused before a request', async (parameters, message) => {
  await expect(run(parameters)).rejects.toMatchObject({ message, itemIndex: 0 });
  expect(server.received).toEqual([]);
});

test('an error includes the text from Plivo; a rate-limited request is retried', async () => {
  server.on('POST /v1/Account/MA1/Message/', ({ count }) => {
    if (count === 1) return { status: 400, json: { api_id: 'a1', error: 'dst is invalid' } };
    return count === 2 ? { status: 429, headers: { 'retry-after': '0' }, json: {} } : { status: 202, json: { api_id: 'a2' } };
  });
  expect(await run({ ...numbers, message: 'x' }, { json: [{}, {}], continueOnFail: true })).toEqual([
    { error: 'Plivo: dst is invalid (400)' },
    { api_id: 'a2' },
  ]);
});
