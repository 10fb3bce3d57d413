import { afterAll, describe, expect, test } from '@jest/globals';
import { executionStatuses } from '@sluice/domain';
import { aSmallWorkflow } from '@sluice/test-support';
import type { Parameter } from '../src/openapi/document.ts';
import { endpointOf, operations, parametersOf } from './support/documented.ts';
import { bodyOf, pathOf, someThings } from './support/example-calls.ts';
import { startFakeWorker } from './support/fake-worker.ts';
import { type ApiResponse, startTestApi } from './support/test-api.ts';

let tagName: string;
/** Two older executions and a newer retry. */
let between: string;

const api = await startTestApi();
const { user, key } = await api.newUser('owner');
const ownerId = user.id;
const destination = await api.projects.createTeam({ name: 'destination' });
const team = await api.projects.createTeam({ name: 'team' });
await api.projects.setMember(team.id, user.id, 'project:viewer');
const things = await someThings(api, user.personalProjectId, destination.id);
/** Objects in another project of the caller. */
const others = await someThings(api, team.id, destination.id);
await differences();
afterAll(() => api.close());

/** Creates data on which each filter has an effect. */
async function differences(): Promise<void> {
  const [tag] = (await api.call('GET', '/tags', { key })).body.data;
  tagName = tag.name;
  const pinData = { Start: [{ json: { pinned: true } }] };
  const changes = { name: 'Alpha', tags: [tag.id], pinData };
  things.versionId = (await api.call('PATCH', `/workflows/${things.workflowId}`, { body: changes })).body.versionId;
  await api.call('POST', `/workflows/${things.workflowId}/activate`);
  await api.call('POST', '/credentials', { body: { ...bodyOf('POST /credentials', others), isGlobal: true } });
  await api.call('POST', '/credentials', { key, body: { name: 'My credentials', type: 'httpHeaderAuth', data: {} } });
  await api.call('PUT', `/credentials/${others.credentialId}/share`, { body: { shareWithIds: [things.projectId] } });
  for (const { projectId } of [things, others])
    await api.call('POST', '/event-subscriptions', { body: { ...bodyOf('POST /event-subscriptions', things), projectId } });
  await api.call('POST', `/event-subscriptions/${things.subscriptionId}/test`);
  for (const { projectId } of [things, others])
    await api.call('POST', '/data-tables', { body: { projectId, name: `second of ${projectId}` } });
  await api.call('POST', `/data-tables/${things.dataTableId}/rows`, { body: { data: [{ a: 'z' }] } });
  await endOf(others.executionId);
  await api.call('POST', `/executions/${things.executionId}/stop`);
  between = new Date().toISOString();
  await api.call('POST', `/executions/${things.executionId}/retry`, { key });
}

async function endOf(executionId: string): Promise<void> {
  const worker = await startFakeWorker(api.db, api.redisPrefix);
  await worker.claim(executionId);
  await worker.nodeRun(executionId, 'Start', 0);
  await worker.finish(executionId);
  await worker.close();
}

type Value = string | (() => string | Promise<string>);

const firstCursor = (path: string) => async () =>
  (await api.call('GET', `${pathOf(`GET ${path}`, things)}?limit=1`, { key })).body.nextCursor;
const paged = (path: string): Record<string, Value> => ({ limit: '1', cursor: firstCursor(path) });

const onlyEmpty = JSON.stringify({ type: 'and', filters: [{ columnName: 'a', condition: 'isEmpty' }] });

/** Endpoint → query parameter → a value that changes the response. */
const effective: Readonly<Record<string, Readonly<Record<string, Value>>>> = {
  'GET /workflows': {
    ...paged('/workflows'),
    name: 'alp',
    active: 'true',
    tags: () => tagName,
    projectId: () => others.projectId,
    excludePinnedData: 'true',
  },
  'GET /workflows/:id': { excludePinnedData: 'true' },
  'GET /workflows/:id/versions': { ...paged('/workflows/:id/versions'), number: '1' },
  'GET /workflows/:id/versions/:versionId': { excludePinnedData: 'true' },
  'GET /tags': paged('/tags'),
  'GET /node-types': { ...paged('/node-types'), search: 'sheets' },
  'GET /credential-types': paged('/credential-types'),
  'GET /executions': {
    ...paged('/executions'),
    status: 'canceled',
    includeData: 'true',
    workflowId: () => others.workflowId,
    projectId: () => others.projectId,
    lastId: () => things.executionId,
    startedAfter: () => between,
    startedBefore: () => between,
    mode: 'retry',
  },
  'GET /statistics': { range: '1h', projectId: () => others.projectId, workflowId: () => others.workflowId },
  'GET /executions/:id': { includeData: 'true' },
  'GET /credentials': {
    includeScopes: 'true',
    includeData: 'true',
    onlySharedWithMe: 'true',
    includeGlobal: 'false',
    filter: JSON.stringify({ type: 'httpHeaderAuth' }),
    'filter[name]': 'my',
    'filter[type]': 'httpHeaderAuth',
    'filter[projectId]': () => others.projectId,
  },
  'GET /credentials/new': { name: 'Another' },
  'GET /credentials/:credentialId': { includeScopes: 'true', includeData: 'true' },
  'DELETE /credentials/:credentialId': { ifUnused: 'true' },
  'GET /audit': { ...paged('/audit'), since: () => between, actor: () => ownerId, object: () => things.workflowId },
  'GET /event-subscriptions': { ...paged('/event-subscriptions'), projectId: () => others.projectId },
  'GET /event-subscriptions/:id/deliveries': { ...paged('/event-subscriptions/:id/deliveries'), status: 'failed' },
  'GET /data-tables': { ...paged('/data-tables'), projectId: () => others.projectId, name: 'second' },
  'GET /data-tables/:id/rows': { ...paged('/data-tables/:id/rows'), filter: onlyEmpty, sortBy: 'a:desc' },
  'DELETE /data-tables/:id/rows': { filter: onlyEmpty },
  'GET /users': paged('/users'),
  'DELETE /users/:id': { transferTo: () => things.destinationId },
  'GET /projects': paged('/projects'),
  'DELETE /projects/:id': { transferTo: () => things.destinationId },
};

const cases = operations.flatMap((operation) =>
  parametersOf(operation, 'query').map((parameter) => ({ endpoint: endpointOf(operation), name: parameter.name, parameter })),
);
const reading = cases.filter(({ endpoint }) => endpoint.startsWith('GET '));

async function ask(endpoint: string, query: Record<string, string>): Promise<ApiResponse> {
  const [method = ''] = endpoint.split(' ');
  return api.call(method, `${pathOf(endpoint, things)}?${new URLSearchParams(query)}`, { key });
}

describe('every query parameter of the document', () => {
  test('is covered here', () => {
    const sent = Object.entries(effective).flatMap(([endpoint, values]) => Object.keys(values).map((name) => [endpoint, name]));
    expect(sent.sort()).toEqual(cases.map(({ endpoint, name }) => [endpoint, name]).sort());
  });

  test.each(reading)('$endpoint: $name changes the response', async ({ endpoint, name }) => {
    const value = effective[endpoint]?.[name];
    const without = await ask(endpoint, {});
    const response = await ask(endpoint, { [name]: typeof value === 'function' ? await value() : (value ?? '') });
    expect([without.status, response.status]).toEqual([200, 200]);
    expect(response.body).not.toEqual(without.body);
  });

  test.each(reading)('$endpoint: $name accepts each documented value', async ({ endpoint, name, parameter }) => {
    for (const value of documentedValues(parameter)) {
      const { status } = await ask(endpoint, { [name]: value });
      expect([value, status]).toEqual([value, 200]);
    }
  });

  test.each(cases)('$endpoint: $name rejects undocumented values with their path', async ({ endpoint, name, parameter }) => {
    for (const value of undocumentedValues(parameter)) {
      const { status, body } = await ask(endpoint, { [name]: value });
      expect([value, status, body.code, body.details[0].path]).toEqual([value, 400, 'VALIDATION_ERROR', `/${name}`]);
    }
  });

  test('status of executions accepts each status and lists of them', async () => {
    for (const status of [...executionStatuses, executionStatuses.join(',')])
      expect((await ask('GET /executions', { status })).status).toBe(200);
  });
});

function documentedValues({ schema }: Parameter): string[] {
  if (schema['type'] === 'boolean') return ['true', 'false'];
  if (schema['type'] === 'integer') {
    const values = [schema['minimum'], schema['maximum'], schema['default']];
    return values.filter((value) => value !== undefined).map(String);
  }
  return ((schema['enum'] ?? []) as string[]).map(String);
}

function undocumentedValues({ schema }: Parameter): string[] {
  if (schema['type'] === 'boolean') return ['1', 'TRUE', ''];
  if (schema['type'] === 'integer')
    return [String(Number(schema['minimum']) - 1), String(Number(schema['maximum']) + 1), '1.5', 'x', ''];
  if (schema['enum'] || schema['format']) return ['nonsense', ''];
  return schema['pattern'] ? ['\u0000'] : [];
}

describe('parameters of deletions', () => {
  test('DELETE /credentials/:credentialId: ifUnused keeps a used credential', async () => {
    const { body: credential } = await api.call('POST', '/credentials', { key, body: bodyOf('POST /credentials', things) });
    const workflow = aSmallWorkflow();
    for (const node of workflow.nodes) node.credentials = { httpBasicAuth: { id: credential.id, name: 'c' } };
    await api.call('POST', '/workflows', { key, body: workflow });
    expect((await api.call('DELETE', `/credentials/${credential.id}?ifUnused=true`, { key })).status).toBe(409);
    expect((await api.call('DELETE', `/credentials/${credential.id}?ifUnused=false`, { key })).status).toBe(200);
  });

  test('DELETE /projects/:id and /users/:id: transferTo receives their contents', async () => {
    const { user } = await api.newUser('member');
    const project = await api.projects.createTeam({ name: 'to be deleted' });
    for (const [path, projectId] of [
      [`/projects/${project.id}`, project.id],
      [`/users/${user.id}`, user.personalProjectId],
    ]) {
      await api.call('POST', '/workflows', { body: { ...aSmallWorkflow(), projectId } });
      expect((await api.call('DELETE', `${path}`)).status).toBe(409);
      expect((await api.call('DELETE', `${path}?transferTo=${things.destinationId}`)).status).toBe(200);
    }
  });
});

test('DELETE /data-tables/:id/rows: filter selects the rows', async () => {
  const path = `/data-tables/${things.dataTableId}/rows`;
  await api.call('POST', path, { body: { data: [{ a: null }, { a: null }] } });
  expect((await api.call('DELETE', `${path}?${new URLSearchParams({ filter: onlyEmpty })}`)).body).toEqual({ count: 2 });
  expect((await api.call('DELETE', path)).body.details).toEqual([{ path: '/filter', message: 'is required' }]);
});

describe('every header of the document', () => {
  test('is covered here', () => {
    const names = operations.flatMap((it) => parametersOf(it, 'header').map(({ name }) => `${it.operationId}: ${name}`));
    expect(names.sort()).toEqual([
      'deleteWorkflow: If-Match',
      // Tested in binary-data.int.test.ts.
      'getBinaryData: If-None-Match',
      'getBinaryData: If-Range',
      'getBinaryData: Range',
      'retryExecution: Idempotency-Key',
      'runWorkflow: Idempotency-Key',
      'runWorkflow: Prefer',
      'streamExecutionEvents: Last-Event-ID',
      'updateWorkflow: If-Match',
    ]);
  });

  const run = (headers: Record<string, string>) => api.call('POST', `/workflows/${things.workflowId}/run`, { key, headers });

  test('Prefer sets how long the API waits for a run', async () => {
    const began = performance.now();
    expect((await run({ prefer: 'wait=1' })).body.finished).toBe(false);
    expect(performance.now() - began).toBeGreaterThan(900);
  });

  test('Idempotency-Key returns the first execution', async () => {
    const first = await run({ 'idempotency-key': 'a key', prefer: 'respond-async' });
    expect((await run({ 'idempotency-key': 'a key', prefer: 'respond-async' })).body.executionId).toBe(first.body.executionId);
    await api.call('POST', `/executions/${first.body.executionId}/stop`, { key });
    const retry = () =>
      api.call('POST', `/executions/${first.body.executionId}/retry`, { key, headers: { 'idempotency-key': 'a key' } });
    expect((await retry()).body.id).toBe((await retry()).body.id);
    expect((await run({ 'idempotency-key': 'é' })).status).toBe(400);
  });

  test('If-Match accepts only the ETag that was read', async () => {
    const path = `/workflows/${things.workflowId}`;
    const etag = (await api.call('GET', path, { key })).headers.get('etag') ?? '';
    const save = (ifMatch: string) => api.call('PATCH', path, { key, body: {}, headers: { 'if-match': ifMatch } });
    expect([(await save(etag)).status, (await save('"other"')).status]).toEqual([200, 409]);
    const deleted = await api.call('DELETE', path, { key, headers: { 'if-match': '"other"' } });
    expect(deleted).toMatchObject({ status: 409, body: { code: 'VERSION_CONFLICT' } });
  });

  test('the ETag is for writes only: changes by executions do not affect it, but a read returns them', async () => {
    const path = `/workflows/${things.workflowId}`;
    const etag = (await api.call('GET', path, { key })).headers.get('etag') ?? '';
    await api.db.kysely
      .updateTable('workflows')
      .set({ static_data: JSON.stringify({ seen: 7 }) })
      .where('id', '=', things.workflowId)
      .execute();
    const headers = { 'if-none-match': etag, 'cache-control': 'max-age=0' };
    const response = await api.call('GET', path, { key, headers });
    expect([response.status, response.body?.staticData, response.headers.get('etag')]).toEqual([200, { seen: 7 }, etag]);
  });

  test('Last-Event-ID must be the ID of an event', async () => {
    const path = `/executions/${things.executionId}/events`;
    expect((await api.call('GET', path, { key, headers: { 'last-event-id': 'nonsense' } })).status).toBe(400);
  });
});
