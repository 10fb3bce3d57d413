import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { type FakeRun, runForJson } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { example } from './beeminder.example.ts';
import { beeminder } from './beeminder.ts';
import { beeminderServer } from './testing/beeminder-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await beeminderServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const credentials = { beeminderApi: { authToken: 't1' } };
const run = (parameters: JsonObject, more: FakeRun = {}) =>
  runForJson(beeminder, { parameters, http: server.http, credentials, ...more });
const sent = () =>
  server.received.map(({ method, url, body }) => [
    `${method} ${url.replace('/api/v1/users/me/goals', '').replace(/[?&]auth_token=t1/, '')}`,
    ...(body.length > 0 ? [Object.fromEntries(new URLSearchParams(body.toString()))] : []),
  ]);

test('the example', async () => {
  expect(await run(example.parameters)).toEqual(example.outputs?.[0]);
  expect(sent()).toEqual([['POST /reading/datapoints.json', { value: '12', comment: 'From Sluice', requestid: '2026-01-31' }]]);
});

test.each<[JsonObject, unknown[]]>([
  [
    { goalName: 'reading', value: '1.5', additionalFields: { timestamp: '2026-01-31T00:00:00Z' } },
    ['POST /reading/datapoints.json', { value: '1.5', timestamp: '1769817600' }],
  ],
  [
    { operation: 'update', goalName: 'reading', datapointId: 'd1', updateFields: { value: 0, comment: 'c' } },
    ['PUT /reading/datapoints/d1.json', { comment: 'c', value: '0' }],
  ],
  [{ operation: 'delete', goalName: 'reading', datapointId: 'd1' }, ['DELETE /reading/datapoints/d1.json']],
])('%j sends %j', async (parameters, request) => {
  expect(await run(parameters)).toHaveLength(1);
  expect(sent()).toEqual([request]);
});

test.each<[JsonObject, string[], number]>([
  [{ limit: 5, options: { sort: 'value' } }, ['GET /reading/datapoints.json?sort=value&page=1&per=300'], 5],
  [{ returnAll: true }, ['GET /reading/datapoints.json?page=1&per=300', 'GET /reading/datapoints.json?page=2&per=300'], 301],
])('values are read to the end, or to the limit: %j', async (parameters, requests, count) => {
  expect(await run({ operation: 'getAll', goalName: 'reading', ...parameters })).toHaveLength(count);
  expect(sent().flat()).toEqual(requests);
});

test.each<[JsonObject, string]>([
  [{ value: 1 }, 'the parameter "goalName" is required'],
  [{ operation: 'delete', goalName: 'g' }, 'the parameter "datapointId" is required'],
])('%j is refused before a request', async (parameters, message) => {
  await expect(run(parameters)).rejects.toMatchObject({ message, itemIndex: 0 });
  expect(server.received).toEqual([]);
});

test('an error includes the text from Beeminder; a rate-limited request is retried', async () => {
  server.on('POST /api/v1/users/me/goals/:goal/datapoints.json', ({ count }) => {
    if (count === 1) return { status: 404, json: { errors: 'Goal not found' } };
    return count === 2 ? { status: 429, headers: { 'retry-after': '0' }, json: {} } : { json: { id: 'd2' } };
  });
  expect(await run({ goalName: 'x', value: 1 }, { json: [{}, {}], continueOnFail: true })).toEqual([
    { error: 'Beeminder: Goal not found (404)' },
    { id: 'd2' },
  ]);
});
