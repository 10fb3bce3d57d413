import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue, MethodContext } from '@sluice/node-sdk';
import { type FakeRun, runForJson, runNode } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { webhookContext } from '../../testing/webhook-context.ts';
import { example } from './n8n.example.ts';
import { n8n } from './n8n.ts';
import { n8nServer, shownWorkflow, site } from './testing/n8n-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await n8nServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const credentials = { n8nApi: site };
const run = (parameters: JsonObject, more: FakeRun = {}) =>
  runForJson(n8n, { parameters, http: server.http, credentials, ...more });
const sent = () =>
  server.received.map(({ method, url, body }): JsonValue[] => [
    `${method} ${url.replace('/api/v1', '')}`,
    body.length > 0 ? JSON.parse(body.toString()) : null,
  ]);

test('the example', async () => {
  expect(await run(example.parameters)).toEqual(example.outputs?.[0]);
  expect(sent()).toEqual([['GET /executions?status=error&workflowId=w1&limit=2', null]]);
});

const exported = { ...shownWorkflow, nodes: [{ name: 'A' }], settings: {}, staticData: null, tags: ['t'], createdAt: 'x' };
const written = { name: 'Flow', nodes: [{ name: 'A' }], connections: {}, settings: {} };
const byUrl = { __rl: true, mode: 'url', value: 'https://auto.example/workflow/w1?projectId=p' };

test.each<[JsonObject, string, JsonValue]>([
  [{ operation: 'create', workflowObject: JSON.stringify(exported) }, 'POST /workflows', written],
  [{ operation: 'update', workflowId: byUrl, workflowObject: exported }, 'PATCH /workflows/w1', written],
  [{ operation: 'get', workflowId: 'w1' }, 'GET /workflows/w1', null],
  [
    { operation: 'get', workflowId: 'w1', additionalOptions: { excludePinnedData: true } },
    'GET /workflows/w1?excludePinnedData=true',
    null,
  ],
  [{ operation: 'delete', workflowId: 'a/b' }, 'DELETE /workflows/a%2Fb', null],
  [{ operation: 'activate', workflowId: 'w1' }, 'POST /workflows/w1/activate', null],
  [{ operation: 'deactivate', workflowId: 'w1' }, 'POST /workflows/w1/deactivate', null],
  [{}, 'GET /workflows?limit=250', null],
  [
    { returnAll: false, limit: 5, filters: { activeWorkflows: false, tags: 'a,b', name: 'x', excludePinnedData: true } },
    'GET /workflows?tags=a%2Cb&name=x&excludePinnedData=true&active=false&limit=5',
    null,
  ],
  [{ resource: 'execution', operation: 'get', executionId: '7' }, 'GET /executions/7', null],
  [
    { resource: 'execution', operation: 'get', executionId: '7', options: { activeWorkflows: true } },
    'GET /executions/7?includeData=true',
    null,
  ],
  [
    { resource: 'execution', filters: { workflowId: { __rl: true, mode: 'list', value: '' } } },
    'GET /executions?limit=250',
    null,
  ],
  [{ resource: 'execution', operation: 'delete', executionId: '7' }, 'POST /executions/delete', { ids: ['7'] }],
  [{ resource: 'execution', operation: 'retry', executionId: '7' }, 'POST /executions/7/retry', { loadWorkflow: false }],
  [{ resource: 'execution', operation: 'stop', executionId: '7' }, 'POST /executions/7/stop', null],
  [
    { resource: 'credential', name: 'Mine', credentialTypeName: 'githubApi', data: '{"accessToken":"t"}' },
    'POST /credentials',
    { name: 'Mine', type: 'githubApi', data: { accessToken: 't' } },
  ],
  [{ resource: 'credential', operation: 'delete', credentialId: 'c1' }, 'DELETE /credentials/c1', null],
  [
    { resource: 'credential', operation: 'getSchema', credentialTypeName: 'githubApi' },
    'GET /credentials/schema/githubApi',
    null,
  ],
  [{ resource: 'audit' }, 'POST /audit', {}],
  [
    { resource: 'audit', additionalOptions: { categories: ['nodes'], daysAbandonedWorkflow: 30 } },
    'POST /audit',
    { additionalOptions: { categories: ['nodes'], daysAbandonedWorkflow: 30 } },
  ],
])('%j sends %s', async (parameters, request, body) => {
  expect(await run(parameters)).toHaveLength(1);
  expect(sent()).toEqual([[request, body]]);
});

test.each<[JsonObject, string, string]>([
  [{ operation: 'update', workflowId: 'w1', workflowObject: '{}' }, 'PATCH /api/v1/workflows/:id', 'PUT /workflows/w1'],
  [{ resource: 'execution', operation: 'delete', executionId: '7' }, 'POST /api/v1/executions/delete', 'DELETE /executions/7'],
])('%j sends the older request to a service without %s', async (parameters, route, older) => {
  server.on(route, () => ({ status: 405, json: { message: 'PATCH method not allowed' } }));
  await run(parameters);
  expect(sent()[1]?.[0]).toBe(older);
});

test('a missing workflow is reported as missing if the older request does not exist', async () => {
  server.on('PATCH /api/v1/workflows/:id', () => ({ status: 404, json: { message: 'workflow w1 does not exist' } }));
  server.on('PUT /api/v1/workflows/:id', () => ({ status: 405, json: { message: 'PUT is not allowed' } }));
  await expect(run({ operation: 'update', workflowId: 'w1', workflowObject: '{}' })).rejects.toMatchObject({
    message: 'API: workflow w1 does not exist (404)',
  });
});

test('lists are read to their end', async () => {
  server.on('GET /api/v1/workflows', ({ query }) => ({
    json: { data: [shownWorkflow], nextCursor: query['cursor'] === 'c2' ? null : 'c2' },
  }));
  expect(await run({})).toHaveLength(2);
  expect(await run({ returnAll: false, limit: 1 })).toHaveLength(1);
  expect(server.received).toHaveLength(3);
});

test('an error includes the text from the service', async () => {
  server.on('POST /api/v1/executions/:id/retry', () => ({
    status: 409,
    json: { message: 'cannot retry a running or waiting execution', code: 'CONFLICT' },
  }));
  const parameters = { resource: 'execution', operation: 'retry', executionId: '7' };
  await expect(runNode(n8n, { parameters, http: server.http, credentials })).rejects.toMatchObject({
    message: 'API: cannot retry a running or waiting execution (409)',
    details: { status: 409 },
  });
});

test('only the failed item has an error if the node continues', async () => {
  server.on('GET /api/v1/workflows/:id', ({ count }) =>
    count === 1 ? { status: 404, json: { message: 'workflow x does not exist' } } : { json: shownWorkflow },
  );
  const output = await run({ operation: 'get', workflowId: 'w1' }, { json: [{}, {}], continueOnFail: true });
  expect(output).toEqual([{ error: 'API: workflow x does not exist (404)' }, shownWorkflow]);
});

test('a rate-limited request is retried', async () => {
  server.on('GET /api/v1/workflows/:id', ({ count }) =>
    count === 1 ? { status: 429, headers: { 'retry-after': '0' }, json: {} } : { json: shownWorkflow },
  );
  expect(await run({ operation: 'get', workflowId: 'w1' })).toEqual([shownWorkflow]);
});

test.each<[JsonObject, string]>([
  [{ operation: 'create', workflowObject: '[]' }, 'the parameter "workflowObject" is not a workflow'],
  [{ resource: 'credential', name: 'a', credentialTypeName: 'b', data: '[]' }, 'the parameter "data" is not an object'],
])('%j is refused before a request', async (parameters, message) => {
  await expect(run(parameters)).rejects.toMatchObject({ message, itemIndex: 0 });
  expect(server.received).toEqual([]);
});

test('workflows can be chosen by name', async () => {
  const context: MethodContext = webhookContext({ http: server.http, credentials });
  expect(await n8n.methods?.listSearch?.['searchWorkflows']?.(context, 'fl')).toEqual({
    results: [{ name: 'Flow', value: 'w1' }],
  });
  expect(sent()).toEqual([['GET /workflows?limit=250&name=fl', null]]);
});
