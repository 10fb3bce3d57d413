import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { type FakeRun, runForJson } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { example } from './signl4.example.ts';
import { signl4 } from './signl4.ts';
import { signl4Server } from './testing/signl4-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await signl4Server();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const credentials = { signl4Api: { teamSecret: 'team1' } };
const run = (parameters: JsonObject, more: FakeRun = {}) =>
  runForJson(signl4, { parameters, http: server.http, credentials, ...more });
const sent = () => server.received.map(({ body }) => JSON.parse(body.toString()));

test('the example', async () => {
  expect(await run(example.parameters)).toEqual(example.outputs?.[0]);
  expect(sent()).toEqual([
    { Title: 'Pump 7', Message: 'The pump is too hot.', 'X-S4-ExternalID': 'pump-7', 'X-S4-Status': 'new' },
  ]);
});

test('additional fields are sent', async () => {
  await run({ message: 'x', additionalFields: { alertingScenario: 'emergency', location: '40.64,-73.77', service: 'Pumps' } });
  expect(sent()).toEqual([
    {
      Message: 'x',
      'X-S4-AlertingScenario': 'emergency',
      'X-S4-Location': '40.64,-73.77',
      'X-S4-Service': 'Pumps',
      'X-S4-Status': 'new',
    },
  ]);
});

test('an alert is resolved by its external ID', async () => {
  expect(await run({ operation: 'resolve', externalId: 'pump-7' })).toEqual([{ eventId: 'e1' }]);
  expect(sent()).toEqual([{ 'X-S4-ExternalID': 'pump-7', 'X-S4-Status': 'resolved' }]);
});

test.each<[JsonObject, string]>([
  [{}, 'the parameter "message" is required'],
  [{ operation: 'resolve' }, 'the parameter "externalId" is required'],
])('%j is refused before a request', async (parameters, message) => {
  await expect(run(parameters)).rejects.toMatchObject({ message, itemIndex: 0 });
  expect(server.received).toEqual([]);
});

test('an error never contains the secret of the team; a rate-limited request is retried', async () => {
  server.on('POST /webhook/team1', ({ count }) => {
    if (count === 1) return { status: 400, json: { message: 'Invalid team' } };
    return count === 2 ? { status: 429, headers: { 'retry-after': '0' }, json: {} } : { status: 201, json: { eventId: 'e2' } };
  });
  const items = await run({ message: 'x' }, { json: [{}, {}], continueOnFail: true });
  expect(items).toEqual([{ error: 'SIGNL4: Invalid team (400)' }, { eventId: 'e2' }]);
  expect(JSON.stringify(items)).not.toContain('team1');
});
