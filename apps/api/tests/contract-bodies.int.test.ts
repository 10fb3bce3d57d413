import { afterAll, describe, expect, test } from '@jest/globals';
import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/domain';
import { aSmallWorkflow, attackShare } from '@sluice/test-support';
import { bodySchemaOf, endpointOf, operations, resolve } from './support/documented.ts';
import { aCalledGraph, bodyOf, chooserPackage, namedIn, pathOf, someThings, type Things } from './support/example-calls.ts';
import { startTestApi } from './support/test-api.ts';

const api = await startTestApi({ RUN_WAIT_MS: '1' }, undefined, { nodePackages: chooserPackage });
const projectId = (await api.call('GET', '/projects')).body.data[0].id;
const destinationId = (await api.projects.createTeam({ name: 'destination' })).id;
const things = await someThings(api, projectId, destinationId);
afterAll(() => api.close());

interface Property {
  endpoint: string;
  /** Property names from the body to the property. Lists and dictionaries are tested elsewhere. */
  path: string[];
  schema: JsonObject;
  required: boolean;
}

const withBody = operations.flatMap((operation) => {
  const schema = bodySchemaOf(operation);
  return schema ? [{ endpoint: endpointOf(operation), schema }] : [];
});
const properties = withBody.flatMap(({ endpoint, schema }) => propertiesOf(endpoint, schema));
const topLevel = properties.filter(({ path }) => path.length === 1);

function propertiesOf(endpoint: string, schema: JsonObject, above: string[] = []): Property[] {
  return Object.entries((schema['properties'] ?? {}) as JsonObject).flatMap(([name, nested]) => {
    const own = resolve<JsonObject>(nested as JsonObject);
    const path = [...above, name];
    const required = ((schema['required'] ?? []) as string[]).includes(name);
    return [{ endpoint, path, schema: own, required }, ...propertiesOf(endpoint, own, path)];
  });
}

type Values = Readonly<Record<string, (things: Things) => JsonValue>>;

const graph = aSmallWorkflow() as unknown as JsonObject;
const pinData: JsonObject = { Start: [{ json: { pinned: true } }] };
const saved: Values = {
  name: () => 'Another',
  nodes: () => graph['nodes'] as JsonValue,
  connections: () => graph['connections'] as JsonValue,
  settings: () => ({ timezone: 'Europe/Rome', executionTimeout: 60 }),
  staticData: () => ({ seen: 1 }),
  pinData: () => pinData,
  tags: ({ tagId }) => [tagId],
};
const destination: Values = { destinationProjectId: (it) => it.destinationId };
const subscription: Values = {
  name: () => 'Another',
  url: () => 'https://example.com/other',
  events: () => ['execution.failed'],
  waitingAfterSeconds: () => 60,
  active: () => false,
};
const rowChange: Values = {
  filter: () => ({ type: 'or', filters: [{ columnName: 'a', condition: 'isEmpty' }] }),
  data: () => ({ a: null }),
};
const member: Values = { userId: (it) => it.userId, role: () => 'project:editor' };

/** Endpoint → property of its body → value, which the response contains if it has the property. */
const accepted: Readonly<Record<string, Values>> = {
  'POST /workflows': {
    ...saved,
    id: ({ workflowId }) => `copy-of-${workflowId}`,
    projectId: (it) => it.destinationId,
    meta: () => ({ origin: 'import' }),
  },
  'PATCH /workflows/:id': saved,
  'POST /workflows/:id/activate': { versionId: (it) => it.versionId, name: () => 'v1', description: () => 'the first' },
  'POST /workflows/:id/run': {
    workflowData: () => graph,
    startNodes: () => ['Set'],
    destinationNode: () => 'Set',
    runData: () => ({ Start: [{ data: { main: [[{ json: { a: 1 } }]] } }] }),
  },
  'POST /workflows/:id/expressions': {
    nodeName: () => 'Set',
    parameters: () => ({ a: '={{ 1 }}' }),
    executionId: ({ executionId }) => executionId,
    itemIndex: () => 0,
    workflowData: () => graph,
  },
  'POST /workflows/:id/test-urls': { workflowData: (it) => aCalledGraph(it) as unknown as JsonObject },
  'POST /node-types/:type/methods/:kind/:method': {
    typeVersion: () => 1,
    parameters: () => ({ a: 1 }),
    credentials: ({ credentialId }) => ({ httpBasicAuth: { id: credentialId, name: 'c' } }),
    filter: () => 'a',
    paginationToken: () => 'next',
    payload: () => ({ a: 1 }),
  },
  'PUT /workflows/:id/transfer': { ...destination, shareCredentials: () => true },
  'POST /tags': { name: ({ tagId }) => `another than ${tagId}` },
  'PATCH /tags/:id': { name: ({ tagId }) => `other than ${tagId}` },
  'PATCH /executions/:id': { annotation: ({ tagId }) => ({ tags: [tagId], vote: 'down' }) },
  'POST /executions/stopMany': {
    filter: ({ workflowId }) => ({
      workflowId,
      projectId,
      mode: 'manual',
      status: ['running', 'waiting', 'queued'],
      startedAfter: '2026-01-01T00:00:00Z',
      startedBefore: '2999-01-01',
    }),
    dryRun: () => true,
    limit: () => 1,
  },
  'POST /executions/delete': { ids: ({ executionId }) => [executionId], dryRun: () => true },
  'POST /executions/:id/retry': { loadWorkflow: () => true, from: () => 'start' },
  'POST /credentials': {
    name: () => 'Mail',
    type: () => 'httpBasicAuth',
    data: () => ({ user: 'u', password: 'p' }),
    projectId: (it) => it.destinationId,
    isGlobal: () => true,
    isResolvable: () => true,
    concurrency: () => 2,
    ratePerSecond: () => 3,
  },
  'PATCH /credentials/:credentialId': {
    name: () => 'Mail',
    data: () => ({ user: 'u', password: 'other' }),
    isGlobal: () => true,
    concurrency: () => 2,
    ratePerSecond: () => 3,
  },
  'POST /credentials/test': { credentials: (it) => ({ id: it.credentialId, type: 'httpBasicAuth', data: { user: 'other' } }) },
  'PUT /credentials/:credentialId/share': { shareWithIds: (it) => [it.destinationId] },
  'PUT /credentials/:credentialId/transfer': destination,
  'POST /api-keys': { label: () => 'ci', scopes: () => ['workflow:read'], expiresAt: () => 4_102_444_800 },
  'PATCH /api-keys/:id': { label: () => 'ci', scopes: () => ['workflow:read'] },
  'POST /sessions': { token: (it) => it.linkToken },
  'POST /users': { email: ({ tagId }) => `${tagId}@example.com`.toLowerCase(), role: () => 'admin', createApiKey: () => true },
  'PATCH /users/:id': { email: ({ tagId }) => `other-${tagId}@example.com`.toLowerCase(), role: () => 'admin' },
  'POST /projects': { name: () => 'Team', concurrency: () => 2, weight: () => 3 },
  'PATCH /projects/:id': { name: () => 'Team', concurrency: () => 2, weight: () => 3 },
  'POST /event-subscriptions': { ...subscription, projectId: (it) => it.projectId },
  'PATCH /event-subscriptions/:id': subscription,
  'POST /data-tables': {
    projectId: (it) => it.projectId,
    name: ({ tagId }) => `table ${tagId}`,
    columns: () => [{ name: 'age', type: 'number' }],
  },
  'PATCH /data-tables/:id': { name: ({ tagId }) => `table ${tagId}` },
  'POST /data-tables/:id/columns': { name: () => 'born', type: () => 'date' },
  'PATCH /data-tables/:id/columns/:columnId': { name: () => 'b' },
  'POST /data-tables/:id/rows': { data: () => [{ a: 'text' }] },
  'PATCH /data-tables/:id/rows': rowChange,
  'POST /data-tables/:id/rows/upsert': rowChange,
  'POST /projects/:id/members': { ...member, email: ({ userId }) => emails.get(userId) ?? '' },
  'PATCH /projects/:id/members/:userId': { role: () => 'project:admin' },
};

const emails = new Map<string, string>();

/**
 * Sends a request that may change or delete new objects. Creates only the objects that the request
 * names, since each takes a request.
 */
async function sendNew<Body extends JsonValue>(endpoint: string, bodyFor: (targets: Things) => Body) {
  const team = await api.projects.createTeam({ name: 'team' });
  const named = namedIn((it) => [pathOf(endpoint, it), bodyFor(it)]);
  const targets = await someThings(api, team.id, destinationId, named);
  if (named.has('userId')) emails.set(targets.userId, (await api.call('GET', `/users/${targets.userId}`)).body.email);
  if (endpoint.endsWith('/retry')) await api.call('POST', `/executions/${targets.executionId}/stop`);
  if (endpoint.endsWith('/:userId')) await api.projects.setMember(team.id, targets.userId, 'project:viewer');
  const sent = bodyFor(targets);
  return { sent, response: await send(endpoint, sent, targets) };
}

function send(endpoint: string, body: JsonValue, targets: Things) {
  const [method = ''] = endpoint.split(' ');
  return api.call(method, pathOf(endpoint, targets), { body });
}

function goodBody(endpoint: string, targets: Things): JsonObject {
  if (endpoint.endsWith('/expressions')) return { nodeName: 'Set', workflowData: graph } as unknown as JsonObject;
  return (bodyOf(endpoint, targets) ?? (endpoint.endsWith('/run') ? { workflowData: graph } : {})) as JsonObject;
}

/** Objects that need another property in addition to the tested one. */
const partly: Readonly<Record<string, JsonObject>> = { concurrency: { limit: 1 } };

/** A valid body with another value at a path; `undefined` removes it. */
function bodyWith(endpoint: string, path: readonly string[], value: JsonValue | undefined, targets: Things): JsonObject {
  const body = structuredClone(goodBody(endpoint, targets));
  let at = body;
  for (const name of path.slice(0, -1))
    at = at[name] = isJsonObject(at[name] ?? null) ? (at[name] as JsonObject) : { ...partly[name] };
  const last = path.at(-1) ?? '';
  if (value === undefined) delete at[last];
  else at[last] = value;
  return body;
}

const samples = { string: 'text', number: 7, boolean: true, array: ['text'], object: { a: 1 }, null: null };

/** Alternative properties that name a member. */
const alternatives: Readonly<Record<string, string>> = { email: 'userId' };

describe('every property of a documented body', () => {
  test('is covered here', () => {
    const sent = Object.entries(accepted).flatMap(([endpoint, values]) => Object.keys(values).map((name) => [endpoint, name]));
    expect(sent.sort()).toEqual(topLevel.map(({ endpoint, path }) => [endpoint, ...path]).sort());
  });

  test.each(topLevel)('$endpoint accepts $path, and returns it if its response has that property', async (it) => {
    const [name = ''] = it.path;
    const { sent, response } = await sendNew(it.endpoint, (targets) => {
      const body = bodyWith(it.endpoint, it.path, accepted[it.endpoint]?.[name]?.(targets) ?? null, targets);
      if (it.endpoint.endsWith('/members')) delete body[alternatives[name] ?? ''];
      return body;
    });
    expect(response.body?.code).toBeUndefined();
    if (isJsonObject(response.body) && name in response.body)
      expect(response.body[name]).toEqual(shown(it.endpoint, name, sent[name] ?? null));
  });

  const mistyped = properties.map((it, index) => ({ ...it, values: attackShare(wrongValues(it.schema), index) }));
  test.each(mistyped)('$endpoint rejects $path of another type with its path', async ({ endpoint, path, values }) => {
    for (const value of values) {
      const { status, body } = await send(endpoint, bodyWith(endpoint, path, value, things), things);
      expect([value, status, body.code]).toEqual([value, 400, 'VALIDATION_ERROR']);
      expect(body.details.map((issue: { path: string }) => issue.path)).toContain(`/${path.join('/')}`);
    }
  });

  const choices = properties.filter(({ schema }) => choicesOf(schema));
  test.each(choices)('$endpoint accepts each documented value of $path', async ({ endpoint, path, schema }) => {
    const choices = choicesOf(schema) ?? [];
    for (const value of schema['items'] ? [choices] : choices) {
      const { response } = await sendNew(endpoint, (targets) => bodyWith(endpoint, path, value, targets));
      expect([value, response.body?.code]).toEqual([value, undefined]);
    }
  });

  const required = properties.filter((property) => property.required);
  test.each(required)('$endpoint rejects a body without $path', async ({ endpoint, path }) => {
    const { status, body } = await send(endpoint, bodyWith(endpoint, path, undefined, things), things);
    expect([status, body.code, body.details[0]]).toEqual([
      400,
      'VALIDATION_ERROR',
      { path: `/${path.join('/')}`, message: 'is required' },
    ]);
  });

  test.each(withBody)('$endpoint ignores undocumented properties', async ({ endpoint }) => {
    const unknown = { unknown: { a: [1] }, createdAt: 'x' };
    const { response } = await sendNew(endpoint, (targets) => ({ ...goodBody(endpoint, targets), ...unknown }));
    expect(response.body?.code).toBeUndefined();
  });
});

/** The value that the response shows for the value that was sent. */
function shown(endpoint: string, name: string, value: JsonValue): unknown {
  if (endpoint === 'POST /workflows/:id/activate' && name === 'name') return expect.any(String); // the name of the workflow
  if (name === 'data' || name === 'nodes') return expect.anything();
  if (name === 'columns') return (value as JsonObject[]).map((column) => ({ id: expect.any(String), ...column }));
  return value;
}

/** Values of types that the schema does not allow. */
function wrongValues(schema: JsonObject): JsonValue[] {
  const types = ([] as unknown[]).concat(schema['type']).map((type) => (type === 'integer' ? 'number' : type));
  return Object.entries(samples).flatMap(([type, sample]) => (types.includes(type) ? [] : [sample]));
}

function choicesOf(schema: JsonObject): JsonValue[] | undefined {
  const items = resolve<JsonObject>((schema['items'] ?? schema) as JsonObject);
  return items['enum'] as JsonValue[] | undefined;
}
