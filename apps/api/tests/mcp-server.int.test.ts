import { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Scope } from '@sluice/domain';
import { aChain, aNode, aSmallWorkflow, eventually } from '@sluice/test-support';
import { connectMcp, type McpClient } from './support/mcp-client.ts';
import { ownerKey, startTestApi } from './support/test-api.ts';
import { aCode, startWebhookFleet } from './support/webhook-fleet.ts';

const clients: McpClient[] = [];

const fleet = await startWebhookFleet();
const mcp = await connected();
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(async () => {
  for (const client of clients) await client.close();
  await fleet.close();
});

/** A client whose requests alternate between both replicas. */
async function connected(key = ownerKey): Promise<McpClient> {
  const client = await connectMcp([fleet.api.url, fleet.otherUrl], key);
  clients.push(client);
  return client;
}

const start = aNode({ name: 'Start', type: 'base.manual-trigger' });
const failing = () => aChain([start, aCode('Work', 'throw new Error("out of paper")')]);
const invalid = (path: string) => ({ code: 'VALIDATION_ERROR', details: [expect.objectContaining({ path })] });

test('a client that does not read the result of a tool is disconnected', async () => {
  const limit = jest.spyOn(ServerResponse.prototype, 'setTimeout');
  await mcp.get('listWorkflows', {});
  expect(limit.mock.calls).toEqual([[120_000, expect.any(Function)]]);
});

describe('an assistant', () => {
  test('creates a workflow from scratch, runs it, and follows it to its output', async () => {
    const { data: types } = await mcp.get('listNodeTypes', { search: 'set fields' });
    expect(types).toContainEqual(expect.objectContaining({ type: 'base.set', version: expect.arrayContaining([3.4]) }));
    expect(types[0]).not.toHaveProperty('properties');
    const { properties } = await mcp.get('getNodeType', { type: 'base.set' });
    expect(properties).toContainEqual(expect.objectContaining({ name: 'jsonOutput' }));

    const created = await mcp.get('createWorkflow', { ...aSmallWorkflow({ answer: 42 }), name: 'from nothing' });
    expect(created).toMatchObject({ name: 'from nothing', active: false, etag: expect.stringMatching(/^"/) });
    const { data: listed } = await mcp.get('listWorkflows', { name: 'FROM nothing' });
    expect(listed).toEqual([expect.objectContaining({ id: created.id })]);
    expect(listed[0]).not.toHaveProperty('nodes');

    const run = await mcp.get('runWorkflow', { id: created.id, prefer: 'respond-async' });
    const outcome = await mcp.get('followExecution', { id: run.executionId, wait: 55 });
    expect(outcome).toMatchObject({
      finished: true,
      execution: { status: 'success', mode: 'manual', workflowId: created.id },
      lastNodeRun: { nodeName: 'Set', run: { data: { main: [[{ json: { answer: 42 } }]] } } },
    });
    const { data: executions } = await mcp.get('listExecutions', { workflowId: created.id, status: 'success' });
    expect(executions).toEqual([expect.objectContaining({ id: run.executionId })]);
  });

  test('reads why a run failed, corrects the workflow, and retries it', async () => {
    const { id } = await mcp.get('createWorkflow', failing());
    const { executionId } = await mcp.get('runWorkflow', { id, prefer: 'wait=60' });
    const failed = await mcp.get('followExecution', { id: executionId, wait: 0 });
    expect(failed).toMatchObject({ finished: true, execution: { status: 'error', error: { node: 'Work' } } });
    expect(failed.execution.error.message).toContain('out of paper');

    const { nodes, etag } = await mcp.get('getWorkflow', { id });
    const corrected = { id, ifMatch: etag, nodes: [nodes[0], aCode('Work', 'return [{ json: { done: true } }]')] };
    await mcp.get('updateWorkflow', corrected);
    expect(await mcp.use('updateWorkflow', corrected)).toMatchObject({ isError: true, json: { code: 'VERSION_CONFLICT' } });
    const retry = await mcp.get('retryExecution', { id: executionId, loadWorkflow: true });
    expect(await mcp.get('followExecution', { id: retry.id, wait: 55 })).toMatchObject({
      execution: { status: 'success', retryOf: executionId },
      lastNodeRun: { run: { data: { main: [[{ json: { done: true } }]] } } },
    });
  });

  test('follows an execution only as long as requested, and stops it', async () => {
    const pause = aNode({ name: 'Pause', type: 'base.wait', typeVersion: 1.1, parameters: { amount: 1, unit: 'days' } });
    const { id } = await mcp.get('createWorkflow', aChain([start, pause]));
    const run = await mcp.get('runWorkflow', { id, prefer: 'wait=60' });
    expect(run).toMatchObject({ finished: false, status: 'waiting' });
    const following = mcp.get('followExecution', { id: run.executionId, wait: 55 });
    expect(await mcp.get('followExecution', { id: run.executionId, wait: 1 })).toMatchObject({
      finished: false,
      execution: { status: 'waiting' },
    });
    expect(await mcp.get('stopExecution', { id: run.executionId })).toMatchObject({ status: 'canceled' });
    expect(await following).toMatchObject({ finished: true, execution: { status: 'canceled' } });
    const again = await mcp.use('stopExecution', { id: run.executionId });
    expect(again).toMatchObject({ isError: true, json: { code: 'CONFLICT', requestId: expect.any(String) } });
  });

  test.each(['runWorkflow', 'followExecution'])('is notified of running nodes while %s waits', async (name) => {
    const slow = aCode('Slow', 'await new Promise((done) => setTimeout(done, 1500)); return [{ json: { slow: true } }]');
    const last = aCode('Last', 'return [{ json: { done: true } }]');
    const { id } = await mcp.get('createWorkflow', aChain([start, slow, last]));
    const run = async () => (await mcp.get('runWorkflow', { id, prefer: 'respond-async' })).executionId;
    const args = name === 'runWorkflow' ? { id, prefer: 'wait=60' } : { id: await run(), wait: 55 };
    const heard: { progress: number; message?: string | undefined }[] = [];
    const { content } = await mcp.client.callTool({ name, arguments: args }, undefined, {
      onprogress: (notice) => heard.push(notice),
    });
    expect(JSON.parse((content as { text: string }[])[0]?.text ?? '')).toMatchObject({
      finished: true,
    });
    expect(heard.map(({ message }) => message)).toContain('Slow is running');
    const steps = heard.map(({ progress }) => progress);
    expect(steps).toEqual([...new Set(steps)].sort((a, b) => a - b));
  });

  test('activates and deactivates a workflow, and gets its warnings', async () => {
    const { id, warnings } = await mcp.get('createWorkflow', aChain([start, aNode({ name: 'New', type: 'base.none' })]));
    expect(warnings).toContainEqual(expect.objectContaining({ code: 'UNKNOWN_NODE_TYPE', node: 'New' }));
    const active = await mcp.get('activateWorkflow', { id });
    expect(active).toMatchObject({
      active: true,
      warnings: expect.arrayContaining([expect.objectContaining({ code: 'NO_TRIGGER' })]),
    });
    expect(await mcp.get('deactivateWorkflow', { id })).toMatchObject({ active: false });
  });

  test('starts one execution per idempotency key, also together with the REST API', async () => {
    const { id } = await mcp.get('createWorkflow', aSmallWorkflow());
    const once = { id, idempotencyKey: 'once', prefer: 'respond-async' };
    const first = await mcp.get('runWorkflow', once);
    expect((await mcp.get('runWorkflow', once)).executionId).toBe(first.executionId);
    const headers = { 'idempotency-key': 'once', prefer: 'respond-async' };
    const { body } = await fleet.api.call('POST', `/workflows/${id}/run`, { headers });
    expect(body.executionId).toBe(first.executionId);
  });

  test('leaves the same entries in the audit log as the REST API', async () => {
    const { id } = await mcp.get('createWorkflow', aSmallWorkflow());
    await mcp.get('updateWorkflow', { id, name: 'renamed' });
    const lines = await eventually(async () => {
      const { body } = await fleet.api.call('GET', `/audit?object=${id}`);
      return body.data.length === 2 && body.data;
    });
    expect(lines).toEqual([
      expect.objectContaining({ action: 'workflow.update', outcome: 'success', details: { fields: ['name'] } }),
      expect.objectContaining({ action: 'workflow.create', outcome: 'success', objectName: aSmallWorkflow().name }),
    ]);
  });
});

describe('the tools', () => {
  test('are limited to the scopes of the key; other tools are rejected as in the REST API', async () => {
    const { user } = await fleet.api.newUser('member');
    const withScopes = async (...scopes: Scope[]) => connected(await fleet.api.newKey(user.id, { scopes }));
    const reader = await withScopes('workflow:list');
    expect(await reader.toolNames()).toEqual(['listWorkflows', 'listNodeTypes', 'getNodeType']);
    const runner = await withScopes('workflow:execute', 'execution:read');
    expect(await runner.toolNames()).toEqual(['runWorkflow', 'getExecution', 'followExecution']);
    const details = [{ path: 'scope', message: 'workflow:create' }];
    const refused = await reader.use('createWorkflow', aSmallWorkflow());
    expect(refused).toMatchObject({ isError: true, json: { code: 'FORBIDDEN', details } });
    const noted = await eventually(async () => {
      const { body } = await fleet.api.call('GET', `/audit?actor=${user.id}`);
      return body.data.length > 0 && body.data;
    });
    expect(noted).toMatchObject([
      { action: 'scope.denied', outcome: 'denied', details: { scope: 'workflow:create', endpoint: 'POST /workflows' } },
    ]);
  });

  test('cannot delete, or access keys, members, or secrets', async () => {
    const { tools } = await mcp.client.listTools();
    expect(tools).toHaveLength(15);
    expect(tools.filter(({ name }) => /delete|key|user|project|member/i.test(name))).toEqual([]);
    const readers = tools.filter(({ annotations }) => annotations?.readOnlyHint).map(({ name }) => name);
    expect(readers.every((name) => /^(list|get|follow)/.test(name))).toBe(true);
  });

  test('cannot access workflows and executions of projects that the user is not a member of', async () => {
    const { id } = await mcp.get('createWorkflow', aSmallWorkflow());
    const { executionId } = await mcp.get('runWorkflow', { id });
    const stranger = await connected((await fleet.api.newUser('member')).key);
    expect((await stranger.get('listWorkflows')).data).toEqual([]);
    expect((await stranger.get('listExecutions')).data).toEqual([]);
    for (const [tool, args] of [
      ['getWorkflow', { id }],
      ['updateWorkflow', { id, name: 'mine' }],
      ['runWorkflow', { id }],
      ['followExecution', { id: executionId }],
      ['stopExecution', { id: executionId }],
      ['retryExecution', { id: executionId }],
    ] as const)
      expect([tool, await stranger.use(tool, args)]).toMatchObject([tool, { isError: true, json: { code: 'FORBIDDEN' } }]);
    expect(await mcp.use('getWorkflow', { id: 'none' })).toMatchObject({ isError: true, json: { code: 'NOT_FOUND' } });
  });

  test.each([
    ['createWorkflow', { nodes: [], connections: {} }, '/name'],
    ['createWorkflow', { ...aSmallWorkflow(), nodes: [{ name: 'a' }] }, '/nodes/0/type'],
    ['getWorkflow', {}, '/id'],
    ['getWorkflow', { id: ['a'] }, '/id'],
    ['getWorkflow', { id: 'a', excludePinnedData: 'maybe' }, '/excludePinnedData'],
    ['getWorkflow', { id: 'a', workflowId: 'b' }, '/workflowId'],
    ['listExecutions', { status: 'failed' }, '/status'],
    ['listExecutions', { limit: 251 }, '/limit'],
    ['followExecution', { id: '1', wait: 56 }, '/wait'],
    ['runWorkflow', { id: 'a', startNodes: 'b' }, '/startNodes'],
    ['runWorkflow', { id: 'a', idempotencyKey: 'ä' }, 'Idempotency-Key'],
  ])('%s rejects %j and names %s', async (tool, args, path) => {
    const { isError, json } = await mcp.use(tool, args);
    expect(isError).toBe(true);
    expect(json).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: expect.arrayContaining([expect.objectContaining({ path })]),
    });
  });

  test('return pages with the same cursors as the REST API', async () => {
    for (let i = 0; i < 3; i++) await mcp.get('createWorkflow', { ...aSmallWorkflow(), name: `paged ${i}` });
    const first = await mcp.get('listWorkflows', { name: 'paged', active: false, limit: 2 });
    const rest = await fleet.api.call('GET', `/workflows?name=paged&active=false&limit=2&cursor=${first.nextCursor}`);
    expect([...first.data, ...rest.body.data].map(({ name }) => name)).toEqual(['paged 2', 'paged 1', 'paged 0']);
    const other = await mcp.use('listWorkflows', { name: 'other', cursor: first.nextCursor });
    expect(other).toMatchObject({ isError: true, json: invalid('/cursor') });
  });

  test('truncate a large result with a mark, and refuse to store a truncated value', async () => {
    const long = aSmallWorkflow({ text: 'x'.repeat(150_000) });
    const { id } = await mcp.get('createWorkflow', long);
    const { json, notes } = await mcp.use('getWorkflow', { id });
    expect(JSON.stringify(json).length).toBeLessThan(101_000);
    expect(json).toMatchObject({
      id,
      name: long.name,
      nodes: [{ name: 'Start' }, { name: 'Set' }],
      connections: long.connections,
    });
    expect(json.nodes[1].parameters.jsonOutput).toMatch(/^\{"text":"x+\[cut: \d+ more characters\]$/);
    expect(notes).toEqual([expect.stringContaining('left out')]);
    expect(await mcp.use('updateWorkflow', { id, nodes: json.nodes })).toMatchObject({ isError: true, json: invalid('') });
  });

  test('return a protocol error for an unknown tool or arguments that are not an object', async () => {
    await expect(mcp.use('deleteWorkflow', { id: 'a' })).rejects.toThrow('this server has no tool "deleteWorkflow"');
    const response = await send({ method: 'tools/call', params: { name: 'getWorkflow', arguments: ['a'] } });
    expect(await response.json()).toMatchObject({ id: 1, error: { code: -32_602 } });
  });
});

interface CallResponse {
  result: { isError?: boolean; content: { text: string }[] };
}

interface Sent {
  method?: string;
  params?: object;
}

/** Sends a message without the library. */
function send(message: Sent, headers: Record<string, string> = {}, url = fleet.api.url): Promise<Response> {
  return fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${ownerKey}`, ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
  });
}

describe('a request for progress', () => {
  const follow = (id: string, wait: number) => ({
    method: 'tools/call',
    params: { name: 'followExecution', arguments: { id, wait }, _meta: { progressToken: 'p1' } },
  });
  const events = { accept: 'application/json, text/event-stream' };
  let executionId: string;
  beforeAll(async () => {
    const pause = aNode({ name: 'Pause', type: 'base.wait', typeVersion: 1.1, parameters: { amount: 1, unit: 'days' } });
    const { id } = await mcp.get('createWorkflow', aChain([start, pause]));
    ({ executionId } = await mcp.get('runWorkflow', { id, prefer: 'wait=60' }));
  });

  test('gets a stream that ends with the result', async () => {
    const response = await send(follow(executionId, 2), events);
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const messages = (await response.text())
      .split('\n\n')
      .filter((event) => event !== '')
      .map((event) => JSON.parse(event.replace('event: message\ndata: ', '')));
    expect(messages[0]).toMatchObject({ method: 'notifications/progress', params: { progressToken: 'p1' } });
    expect(messages.at(-1)).toMatchObject({ id: 1, result: { content: [{ type: 'text' }] } });
  });

  test('with a key that may run but not read executions gets JSON', async () => {
    const { user } = await fleet.api.newUser('member');
    const key = await fleet.api.newKey(user.id, { scopes: ['workflow:create', 'workflow:execute'] });
    const slow = aCode('Slow', 'await new Promise((done) => setTimeout(done, 700)); return []');
    const { id } = await (await connected(key)).get('createWorkflow', aChain([start, slow]));
    const run = { name: 'runWorkflow', arguments: { id, prefer: 'wait=60' }, _meta: { progressToken: 'p1' } };
    const headers = { ...events, authorization: `Bearer ${key}` };
    const response = await send({ method: 'tools/call', params: run }, headers);
    expect(response.headers.get('content-type')).toContain('application/json');
    const { result } = (await response.json()) as CallResponse;
    expect(JSON.parse(result.content[0]?.text ?? '')).toMatchObject({ finished: true, status: 'success' });
  });

  test.each([
    ['from a client that does not accept streams', () => send(follow(executionId, 1), { accept: 'application/json' })],
    [
      'without a token',
      () => send({ ...follow(executionId, 1), params: { ...follow(executionId, 1).params, _meta: {} } }, events),
    ],
    [
      'with a token that is too long',
      () =>
        send(
          {
            ...follow(executionId, 1),
            params: { ...follow(executionId, 1).params, _meta: { progressToken: 'x'.repeat(257) } },
          },
          events,
        ),
    ],
    ['that the tool rejects', () => send(follow('none', 1), events)],
    ['for an execution that does not exist', () => send(follow('999999', 1), events)],
  ])('%s gets JSON', async (_, request) => {
    const response = await request();
    expect(response.headers.get('content-type')).toContain('application/json');
    expect(await response.json()).toMatchObject({ id: 1, result: { content: [{ type: 'text' }] } });
  });
});

describe('requests', () => {
  test('require a valid key as a bearer token', async () => {
    for (const authorization of ['', 'Bearer', `Basic ${ownerKey}`, `Bearer ${ownerKey}x`]) {
      const response = await send({ method: 'ping' }, { authorization });
      expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
      expect(await response.json()).toMatchObject({ code: 'UNAUTHORIZED', message: expect.stringContaining('Bearer <key>') });
    }
    const inOtherHeader = await send({ method: 'ping' }, { authorization: '', 'x-service-api-key': ownerKey });
    expect(inOtherHeader.status).toBe(401);
    expect((await send({ method: 'ping' }, { authorization: `bearer ${ownerKey}` })).status).toBe(200);
  });

  test.each([
    ['https://sluice.example', 200],
    ['http://localhost:6274', 200],
    ['http://127.0.0.1:5678', 200],
    ['http://evil.example', 403],
    ['http://localhost.evil.example', 403],
    ['https://sluice.example.evil', 403],
    ['null', 403],
  ])('from web pages at %s get %i', async (origin, status) => {
    const response = await send({ method: 'ping' }, { origin });
    expect(response.status).toBe(status);
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });

  test.each([
    ['with another protocol version', { method: 'ping' }, { 'mcp-protocol-version': '2020-01-01' }, 400],
    ['without a message', {}, {}, 202],
    ['with another content type', { method: 'ping' }, { 'content-type': 'text/plain' }, 415],
  ])('with %s', async (_, message, headers, status) => {
    expect((await send(message, headers)).status).toBe(status);
  });

  test('with a malformed or oversized body or another method are rejected', async () => {
    const headers = { authorization: `Bearer ${ownerKey}`, 'content-type': 'application/json' };
    const post = (body: string) => fetch(`${fleet.api.url}/mcp`, { method: 'POST', headers, body });
    expect((await post('{')).status).toBe(400);
    expect((await post('[]')).status).toBe(400);
    expect((await post(`"${'x'.repeat(16 * 1024 * 1024)}"`)).status).toBe(413);
    for (const method of ['GET', 'DELETE', 'OPTIONS']) {
      const response = await fetch(`${fleet.api.url}/mcp`, { method, headers });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
    }
  });

  test('count toward the rate limits of the address and of the key, in the group of the tool', async () => {
    const api = await startTestApi({ RATE_LIMIT_KEY_MAX: '2' });
    try {
      const list = { method: 'tools/call', params: { name: 'listWorkflows' } };
      const first = await send(list, {}, api.url);
      expect(first.headers.get('ratelimit-policy')).toBe('"ip";q=1000000;w=300, "key-read";q=2;w=300');
      expect((await api.call('GET', '/workflows')).status).toBe(200);
      const limited = (await (await send(list, {}, api.url)).json()) as CallResponse;
      expect(limited.result.isError).toBe(true);
      expect(JSON.parse(limited.result.content[0]?.text ?? '')).toMatchObject({ code: 'RATE_LIMITED' });
      expect((await send({ method: 'ping' }, {}, api.url)).status).toBe(429);
      const create = { method: 'tools/call', params: { name: 'createWorkflow', arguments: aSmallWorkflow() } };
      const created = (await (await send(create, {}, api.url)).json()) as CallResponse;
      expect(created.result.isError).toBeUndefined();
    } finally {
      await api.close();
    }
  });
});
