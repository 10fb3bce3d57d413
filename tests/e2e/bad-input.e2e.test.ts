import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { aChain, aNode, aSmallWorkflow } from '@sluice/test-support';
import { startService } from './harness.ts';
import { stopIn } from './support/cleanup.ts';
import { queryDatabase } from './support/database.ts';
import { createWorkflow, run } from './support/runs.ts';

const bodyLimit = 100_000;
const stopAfterAll = stopIn(afterAll);

const service = stopAfterAll(
  await startService({ settings: { BODY_LIMIT_BYTES: String(bodyLimit), WORKFLOW_MAX_NODES: '50' } }),
);
const workflowId = await createWorkflow(service, aSmallWorkflow());
const executionId = (await run(service, workflowId)).executionId;
const rowsBefore = await allRows();

afterEach(async () => {
  expect(await allRows()).toEqual(rowsBefore);
});

/** All rows of the tables that a request could write to, as text. */
function allRows(): Promise<unknown[]> {
  const tables = ['workflows', 'workflow_graphs', 'workflow_versions', 'executions', 'node_runs', 'idempotency_keys'];
  const selects = tables.map((table) => `SELECT '${table}' AS table_name, t::text AS content FROM ${table} t`);
  return queryDatabase(service.databaseUrl, `${selects.join(' UNION ALL ')} ORDER BY 1, 2`);
}

interface RawRequest {
  method?: string;
  path: string;
  /** Sent unchanged. */
  body?: string;
  headers?: Record<string, string>;
}

/**
 * Sends the request and expects the error that the contract defines: the status and `{message,
 * code, requestId}`, without internals.
 */
async function expectRefused(
  { method = 'POST', path, body, headers = {} }: RawRequest,
  status: number,
  code: string,
): Promise<Record<string, unknown>> {
  const response = await fetch(`${service.url}/api/v1${path}`, {
    method,
    headers: { 'x-service-api-key': service.apiKey, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  expect([response.status, response.headers.get('content-type'), text]).toEqual([
    status,
    expect.stringContaining('application/json'),
    expect.not.stringMatching(/node_modules|\.ts:\d|\bselect\b|insert into|SQLSTATE/i),
  ]);
  const received = JSON.parse(text);
  expect(received).toMatchObject({
    message: expect.stringMatching(/./),
    code,
    requestId: response.headers.get('x-request-id'),
  });
  expect(Object.keys(received).filter((key) => !['message', 'code', 'requestId', 'details'].includes(key))).toEqual([]);
  return received;
}

/** The routes that read a body, each with a valid body. */
const bodyRoutes = () => [
  { method: 'POST', path: '/workflows', valid: aSmallWorkflow() },
  { method: 'PATCH', path: `/workflows/${workflowId}`, valid: { name: 'renamed' } },
  { method: 'POST', path: `/workflows/${workflowId}/run`, valid: { workflowData: aSmallWorkflow() } },
  { method: 'POST', path: '/executions/stopMany', valid: { filter: { status: ['waiting'] } } },
  { method: 'POST', path: `/executions/${executionId}/retry`, valid: { loadWorkflow: false } },
  { method: 'POST', path: '/executions/delete', valid: { ids: ['1'] } },
];

describe('on every route that reads a body', () => {
  const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
  const withExtra = (valid: object, json: string) => `${JSON.stringify(valid).slice(0, -1)},"extra":${json}}`;

  test.each<[string, number, string, (valid: object) => Pick<RawRequest, 'body' | 'headers'>]>([
    ['malformed JSON', 400, 'VALIDATION_ERROR', (valid) => ({ body: JSON.stringify(valid).slice(0, -1) })],
    ['text after the JSON', 400, 'VALIDATION_ERROR', (valid) => ({ body: `${JSON.stringify(valid)}}` })],
    ['an array', 400, 'VALIDATION_ERROR', (valid) => ({ body: `[${JSON.stringify(valid)}]` })],
    ['null', 400, 'VALIDATION_ERROR', () => ({ body: 'null' })],
    ['a body that is too deep', 400, 'VALIDATION_ERROR', (valid) => ({ body: withExtra(valid, nested(101)) })],
    ['a body of 15,000 levels', 400, 'VALIDATION_ERROR', (valid) => ({ body: withExtra(valid, nested(15_000)) })],
    ['a number out of range', 400, 'VALIDATION_ERROR', (valid) => ({ body: withExtra(valid, '{"a":1e999}') })],
    ['an oversized body', 413, 'PAYLOAD_TOO_LARGE', (valid) => ({ body: withExtra(valid, `"${'x'.repeat(bodyLimit)}"`) })],
    [
      'another content type',
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      (valid) => ({ body: JSON.stringify(valid), headers: { 'content-type': 'text/plain' } }),
    ],
    [
      'a form body',
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      () => ({ body: 'name=a', headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
    ],
  ])('%s is rejected with %i', async (_what, status, code, broken) => {
    for (const { method, path, valid } of bodyRoutes()) await expectRefused({ method, path, ...broken(valid) }, status, code);
  });
});

describe('invalid values are rejected with 400', () => {
  const changed = (changes: object) => JSON.stringify({ ...aSmallWorkflow(), ...changes });
  const node = (changes: object) => [{ ...aNode({ name: 'A', type: 'base.no-op' }), ...changes }];

  test.each([
    ['a missing name', changed({ name: undefined })],
    ['a name that is a number', changed({ name: 7 })],
    ['a blank name', changed({ name: '  ' })],
    ['a name of 129 characters', changed({ name: 'x'.repeat(129) })],
    ['a name with \\u0000', changed({ name: 'a\u0000b' })],
    ['nodes that are not an array', changed({ nodes: {} })],
    ['missing connections', changed({ connections: undefined })],
    ['a node without a type', changed({ nodes: node({ type: undefined }), connections: {} })],
    ['a node name with \\u0000', changed({ nodes: node({ name: '\u0000' }), connections: {} })],
    ['a position of three numbers', changed({ nodes: node({ position: [1, 2, 3] }), connections: {} })],
    ['two nodes with the same name', changed({ nodes: [...node({}), ...node({})], connections: {} })],
    ['a connection from a missing node', changed({ connections: { Missing: { main: [[]] } } })],
    [
      'a connection to a missing node',
      changed({ connections: { Start: { main: [[{ node: 'Missing', type: 'main', index: 0 }]] } } }),
    ],
    ['a connection index of 1e9', changed({ connections: { Start: { main: [[{ node: 'Set', type: 'main', index: 1e9 }]] } } })],
    ['an ID that contains a path', changed({ id: '../etc/passwd' })],
    ['an unknown tag', changed({ tags: ['no-such-tag'] })],
    [
      '51 nodes where 50 are allowed',
      JSON.stringify(aChain(Array.from({ length: 51 }, (_, i) => aNode({ name: `${i}`, type: 'base.no-op' })))),
    ],
  ])('in a new workflow: %s', async (_what, body) => {
    const received = await expectRefused({ path: '/workflows', body }, 400, 'VALIDATION_ERROR');
    expect(received['details'] ?? received['message']).toBeTruthy();
  });

  test('in a new workflow: an ID that is in use', async () => {
    const body = changed({ id: workflowId });
    const { message } = await expectRefused({ path: '/workflows', body }, 400, expect.any(String) as unknown as string);
    expect(message).toBe(`workflow with id ${workflowId} exists already`);
  });

  test.each([
    ['POST', '/workflows/:workflow/run', { workflowData: { nodes: 'none', connections: {} } }],
    ['POST', '/workflows/:workflow/run', { startNodes: ['Missing'] }],
    ['POST', '/workflows/:workflow/run', { destinationNode: 'Missing' }],
    ['POST', '/workflows/:workflow/run', { runData: { Start: {} } }],
    ['PATCH', '/workflows/:workflow', { nodes: [], connections: { Missing: { main: [] } } }],
    ['PATCH', '/workflows/:workflow', { settings: [] }],
    ['POST', '/executions/stopMany', {}],
    ['POST', '/executions/stopMany', { filter: { status: ['success'] } }],
    ['POST', '/executions/stopMany', { filter: { status: 'running' } }],
    ['POST', '/executions/stopMany', { filter: { status: ['running'], startedAfter: 'yesterday' } }],
    ['POST', '/executions/:execution/retry', { loadWorkflow: 'yes' }],
    ['POST', '/executions/delete', { ids: '1' }],
    ['POST', '/executions/delete', { ids: [1] }],
    ['POST', '/executions/delete', {}],
  ])('%s %s %j', async (method, path, body) => {
    const filled = path.replace(':workflow', workflowId).replace(':execution', executionId);
    await expectRefused({ method, path: filled, body: JSON.stringify(body) }, 400, 'VALIDATION_ERROR');
  });

  test.each([
    '/executions?limit=0',
    '/executions?limit=251',
    '/executions?limit=ten',
    '/executions?limit=1&limit=2',
    '/executions?status=finished',
    '/executions?includeData=perhaps',
    '/executions?lastId=abc',
    '/executions?lastId=99999999999999999999',
    '/executions?cursor=nonsense',
    '/executions?cursor=%00',
    `/executions?cursor=${Buffer.from('{"kind":"executions","id":"1 or 1=1"}').toString('base64url')}`,
    `/executions?cursor=${Buffer.from('{"kind":"workflows","id":"a","at":"1"}').toString('base64url')}`,
    '/workflows?limit=-1',
    '/workflows?active=maybe',
    '/workflows?cursor=bm9uc2Vuc2U',
    '/workflows?name=%00',
  ])('GET %s', async (path) => {
    await expectRefused({ method: 'GET', path }, 400, 'VALIDATION_ERROR');
  });
});

describe('a missing resource returns 404', () => {
  const workflowIds = [
    'nope',
    '__proto__',
    '%00',
    '..%2F..%2Fetc%2Fpasswd',
    "'%3B%20drop%20table%20workflows",
    'x'.repeat(2_000),
  ];
  const executionIds = ['0', '999999999', '99999999999999999999', '-1', '1e3', 'abc', '%00', '1%20or%201%3D1'];

  test.each(workflowIds)('workflow %s', async (id) => {
    const body = '{}';
    await expectRefused({ method: 'GET', path: `/workflows/${id}` }, 404, 'NOT_FOUND');
    await expectRefused({ method: 'DELETE', path: `/workflows/${id}` }, 404, 'NOT_FOUND');
    await expectRefused({ method: 'PATCH', path: `/workflows/${id}`, body }, 404, 'NOT_FOUND');
    await expectRefused({ path: `/workflows/${id}/run`, body }, 404, 'NOT_FOUND');
  });

  test.each(executionIds)('execution %s', async (id) => {
    await expectRefused({ method: 'GET', path: `/executions/${id}` }, 404, 'NOT_FOUND');
    await expectRefused({ path: `/executions/${id}/stop` }, 404, 'NOT_FOUND');
    await expectRefused({ path: `/executions/${id}/retry`, body: '{}' }, 404, 'NOT_FOUND');
  });

  test.each(['/nothing', '/', '/workflows/a/b/c', '/executions/1/nothing'])('path %s', async (path) => {
    await expectRefused({ method: 'GET', path }, 404, 'NOT_FOUND');
  });
});

describe('every request without a valid key is rejected with 401, whatever its body', () => {
  test.each([
    ['no key', { 'x-service-api-key': '' }],
    ['a wrong key', { 'x-service-api-key': 'sluice_wrong-wrong-wrong-wrong-wrong' }],
    ['the key in another header', { 'x-service-api-key': '', authorization: 'Bearer KEY' }],
    ['a key of 5,000 characters', { 'x-service-api-key': 'k'.repeat(5_000) }],
  ])('%s', async (_what, headers: Record<string, string>) => {
    const values = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value.replace('KEY', service.apiKey)]),
    );
    const bodies = bodyRoutes().map(({ method, path }) => ({ method, path, body: '{"broken' }));
    for (const route of [...bodies, { method: 'GET', path: '/workflows' }, { method: 'GET', path: '/nothing' }]) {
      await expectRefused({ ...route, headers: values }, 401, 'UNAUTHORIZED');
    }
  });
});

test('the service still works after all rejected requests', async () => {
  expect((await service.call('GET', `/workflows/${workflowId}`)).status).toBe(200);
  expect((await service.call('GET', `/executions/${executionId}`)).status).toBe(200);
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
});
