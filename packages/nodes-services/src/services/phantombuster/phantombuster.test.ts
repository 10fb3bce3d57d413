import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { type FakeRun, runForJson } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { phantombuster } from './phantombuster.ts';
import { phantombusterServer } from './testing/phantombuster-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await phantombusterServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const run = (parameters: JsonObject, more: FakeRun = {}) =>
  runForJson(phantombuster, { parameters, http: server.http, credentials: { phantombusterApi: { apiKey: 'k1' } }, ...more });
const sent = () =>
  server.received.map(({ url, body }) => [
    url.replace('/api/v2', ''),
    ...(body.length > 0 ? [JSON.parse(body.toString())] : []),
  ]);

test('a launch returns the ID of the run', async () => {
  expect(await run({ agentId: 42, additionalFields: { bonusArgument: { profileUrl: 'x' } } })).toEqual([{ containerId: '7' }]);
  expect(sent()).toEqual([['/agents/launch', { id: '42', bonusArgument: { profileUrl: 'x' } }]]);
});

test('a launch sends its additional fields; JSON may be text', async () => {
  const additionalFields = { argument: '{"a":1}', manualLaunch: true, maxInstanceCount: '2', saveArgument: true };
  await run({ agentId: '42', additionalFields });
  expect(sent()).toEqual([
    ['/agents/launch', { id: '42', argument: { a: 1 }, manualLaunch: true, maxInstanceCount: 2, saveArgument: true }],
  ]);
});

test.each<[JsonObject, unknown[], JsonObject[]]>([
  [{ operation: 'get', agentId: '42' }, ['/agents/fetch?id=42'], [{ id: '42', name: 'A' }]],
  [{ operation: 'getAll', limit: 2 }, ['/agents/fetch-all'], [{ id: '42' }, { id: '43' }]],
  [{ operation: 'delete', agentId: '42' }, ['/agents/delete', { id: '42' }], [{ success: true }]],
])('%j sends %j', async (parameters, request, items) => {
  expect(await run(parameters)).toEqual(items);
  expect(sent()).toEqual([request]);
});

test('the results of the latest run are items', async () => {
  expect(await run({ operation: 'getOutput', agentId: '42' })).toEqual([
    { general: { fullName: 'Ada' } },
    { general: { fullName: 'Grace' } },
  ]);
  expect(sent()).toEqual([['/agents/fetch-output?id=42'], ['/containers/fetch-result-object?id=7']]);
});

test('a run without results returns its status', async () => {
  server.on('GET /api/v2/containers/fetch-result-object', () => ({ json: { resultObject: null } }));
  expect(await run({ operation: 'getOutput', agentId: '42' })).toMatchObject([{ status: 'finished', output: 'Done' }]);
  server.on('GET /api/v2/agents/fetch-output', () => ({ json: { status: 'starting', output: '' } }));
  expect(await run({ operation: 'getOutput', agentId: '42' })).toEqual([{ status: 'starting', output: '' }]);
});

test('results that are not JSON are an error', async () => {
  server.on('GET /api/v2/containers/fetch-result-object', () => ({ json: { resultObject: '<html>' } }));
  await expect(run({ operation: 'getOutput', agentId: '42' })).rejects.toThrow('the results of the agent are not JSON');
});

test.each<[JsonObject, string]>([
  [{}, 'the parameter "agentId" is required'],
  [{ operation: 'getOutput' }, 'the parameter "agentId" is required'],
  [{ operation: 'getAll', limit: 0 }, 'the parameter "limit" must be 1 or more'],
])('%j is refused before a request', async (parameters, message) => {
  await expect(run(parameters)).rejects.toMatchObject({ message, itemIndex: 0 });
  expect(server.received).toEqual([]);
});

test('an error includes the text from Phantombuster; a rate-limited request is retried', async () => {
  server.on('GET /api/v2/agents/fetch', ({ count }) => {
    if (count === 1) return { status: 404, json: { status: 'error', error: 'Agent not found' } };
    return count === 2 ? { status: 429, headers: { 'retry-after': '0' }, json: {} } : { json: { id: '42' } };
  });
  expect(await run({ operation: 'get', agentId: '42' }, { json: [{}, {}], continueOnFail: true })).toEqual([
    { error: 'Phantombuster: Agent not found (404)' },
    { id: '42' },
  ]);
});
