import { afterAll, describe, expect, test } from '@jest/globals';
import { type JsonObject, randomId, type WorkflowNode } from '@sluice/domain';
import { aNode, eventually } from '@sluice/test-support';
import { connectSse } from './support/mcp-client.ts';
import { startWebhookFleet } from './support/webhook-fleet.ts';

const fleet = await startWebhookFleet();
afterAll(() => fleet.close());

/** Activates a server with a tool that records a thought. Resolves to its workflow and path. */
async function aServer(parameters: JsonObject = {}, more: Partial<WorkflowNode> = {}) {
  const path = randomId();
  const nodes = [
    aNode({
      name: 'Server',
      type: '@n8n/n8n-nodes-langchain.mcpTrigger',
      typeVersion: 2,
      parameters: { path, ...parameters },
      ...more,
    }),
    aNode({ name: 'Think', type: 'ai.tool-think', typeVersion: 1.1, parameters: { description: 'notes a thought' } }),
  ];
  const connections = { Think: { ai_tool: [[{ node: 'Server', type: 'ai_tool', index: 0 }]] } };
  const created = await fleet.api.call('POST', '/workflows', { body: { name: 'mcp', nodes, connections, settings: {} } });
  const id = String(created.body.id);
  expect((await fleet.api.call('POST', `/workflows/${id}/activate`)).status).toBe(200);
  return { id, path: `mcp/${path}` };
}

let requests = 0;
const message = (method: string, params: JsonObject = {}) => ({ jsonrpc: '2.0', id: ++requests, method, params });
const executionsOf = async (id: string) =>
  ((await fleet.api.call('GET', `/executions?workflowId=${id}`)).body as { data: unknown[] }).data.length;

test('a client connects, lists the tools, and calls a tool; only the list and the call start executions', async () => {
  const { id, path } = await aServer();
  const initialize = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  const welcome = await fleet.post(path, message('initialize', initialize));
  expect([welcome.status, await welcome.json()]).toMatchObject([
    200,
    { result: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'Server' } } },
  ]);
  const initialized = await fleet.post(path, { jsonrpc: '2.0', method: 'notifications/initialized' });
  expect([initialized.status, await initialized.text()]).toEqual([202, '']);
  expect(await (await fleet.post(path, message('ping'))).json()).toMatchObject({ result: {} });
  expect(await executionsOf(id)).toBe(0);

  const listed = await fleet.post(path, message('tools/list'));
  expect(listed.headers.get('content-type')).toContain('application/json');
  expect(await listed.json()).toMatchObject({ result: { tools: [{ name: 'Think', description: 'notes a thought' }] } });
  const called = await fleet.post(path, message('tools/call', { name: 'Think', arguments: { input: 'hm' } }));
  expect(await called.json()).toMatchObject({ id: requests, result: { content: [{ type: 'text', text: 'hm' }] } });
  expect(await executionsOf(id)).toBe(2);
});

test('a client gets the instructions of version 2.1', async () => {
  const { path } = await aServer({ instructions: '={{ "Be " + "brief" }}' }, { typeVersion: 2.1 });
  const welcome = await fleet.post(path, message('initialize'));
  expect(await welcome.json()).toMatchObject({ result: { instructions: 'Be brief' } });
  expect(await (await fleet.post(path, message('tools/list'))).json()).toMatchObject({
    result: { tools: [{ name: 'Think' }] },
  });
});

test.each<[string, object, number, object]>([
  ['an unknown method', { jsonrpc: '2.0', id: 1, method: 'resources/list' }, 200, { id: 1, error: { code: -32_601 } }],
  ['a list of messages', [{ jsonrpc: '2.0', id: 1, method: 'ping' }], 400, { error: { code: -32_600 } }],
  ['another protocol', { id: 1, method: 'tools/list' }, 400, { error: { code: -32_600 } }],
  [
    'an ID that is neither a string nor a number',
    { jsonrpc: '2.0', id: {}, method: 'ping' },
    400,
    { error: { code: -32_600 } },
  ],
])('%s is rejected and starts nothing', async (_, body, status, expected) => {
  const { id, path } = await aServer();
  const response = await fleet.post(path, body);
  expect([response.status, await response.json()]).toMatchObject([status, expected]);
  expect(await executionsOf(id)).toBe(0);
});

test('a streamable HTTP endpoint has no streams to open and no sessions to end', async () => {
  const { path } = await aServer();
  for (const method of ['GET', 'DELETE']) expect((await fleet.call(path, { method })).status).toBe(405);
});

test.each([
  ['bearerAuth', 'httpBearerAuth', { token: 'secret-1' }, { authorization: 'Bearer secret-1' }],
  ['headerAuth', 'httpHeaderAuth', { name: 'x-key', value: 'secret-1' }, { 'x-key': 'secret-1' }],
])('with %s, only clients with the secret get a response', async (authentication, type, data, headers) => {
  const { body } = await fleet.api.call('POST', '/credentials', { body: { name: 'mcp', type, data } });
  const credentials = { [type]: { id: String(body.id), name: 'mcp' } };
  const { path } = await aServer({ authentication }, { credentials });
  for (const method of ['ping', 'tools/list']) {
    expect((await fleet.post(path, message(method))).status).toBe(401);
    const wrong = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, `${value}x`]));
    expect((await fleet.post(path, message(method), wrong)).status).toBe(401);
    expect((await fleet.post(path, message(method), headers)).status).toBe(200);
  }
});

test('without a path, the URL ends with the webhook ID of the node', async () => {
  const webhookId = randomId();
  await aServer({ path: '' }, { webhookId });
  expect((await fleet.post(`mcp/${webhookId}`, message('ping'))).status).toBe(200);
});

describe('the SSE transport', () => {
  const events = { accept: 'text/event-stream' };

  /** Opens a stream without the library. `text` is the data received so far. */
  async function openStream(path: string, headers: Record<string, string> = {}) {
    const disconnected = new AbortController();
    const response = await fleet.call(`${path}/sse`, { headers: { ...events, ...headers }, signal: disconnected.signal });
    const stream = { response, text: '', close: () => disconnected.abort() };
    const read = async () => {
      for await (const chunk of response.body ?? []) stream.text += Buffer.from(chunk).toString('utf8');
    };
    const ended = read().catch(() => undefined);
    const endpoint = await eventually(async () => /event: endpoint\ndata: (.*)\n\n/.exec(stream.text)?.[1] ?? false);
    return { stream, ended, endpoint: endpoint.replace(/^\/webhook\//, '') };
  }

  test('the client library lists and calls tools, and its messages can reach any process', async () => {
    const { id, path } = await aServer();
    const client = await connectSse(`${fleet.api.url}/webhook/${path}/sse`, fleet.otherUrl);
    expect(client.getServerVersion()).toMatchObject({ name: 'Server' });
    expect((await client.listTools()).tools).toMatchObject([{ name: 'Think' }]);
    const inputs = ['a', 'b', 'c'];
    const results = await Promise.all(inputs.map((input) => client.callTool({ name: 'Think', arguments: { input } })));
    expect(results.map(({ content }) => (content as { text: string }[])[0]?.text)).toEqual(inputs);
    await expect(client.callTool({ name: 'Other', arguments: {} })).rejects.toThrow('there is no tool "Other"');
    await client.close();
    expect(await executionsOf(id)).toBe(5);
  });

  test('a message is accepted immediately, and its response arrives in the stream', async () => {
    const { path } = await aServer();
    const { stream, endpoint } = await openStream(path);
    expect(stream.response.headers.get('content-type')).toContain('text/event-stream');
    expect(endpoint).toMatch(new RegExp(`^${path}/messages\\?sessionId=[0-9a-f]{32}$`));
    const posted = await fleet.post(endpoint, message('tools/call', { name: 'Think', arguments: { input: 'hm' } }));
    expect([posted.status, await posted.text()]).toEqual([202, '']);
    const data = await eventually(async () => /event: message\ndata: (.*)\n\n/.exec(stream.text)?.[1] ?? false);
    expect(JSON.parse(data)).toMatchObject({ id: requests, result: { content: [{ text: 'hm' }] } });
    expect((await fleet.post(endpoint, { jsonrpc: '2.0', method: 'notifications/initialized' })).status).toBe(202);
    expect((await fleet.post(endpoint, [])).status).toBe(400);
    stream.close();
  });

  test('a message for a missing session, or a session of another server, is rejected', async () => {
    const [one, other] = [await aServer(), await aServer()];
    const { stream, endpoint } = await openStream(one.path);
    const query = endpoint.slice(endpoint.indexOf('?'));
    for (const wrong of ['', '?sessionId=', '?sessionId=x', `${query}0`, `${query}&sessionId=b`])
      expect([wrong, (await fleet.post(`${one.path}/messages${wrong}`, message('ping'))).status]).toEqual([wrong, 400]);
    expect((await fleet.post(`${other.path}/messages${query}`, message('ping'))).status).toBe(404);
    expect((await fleet.post(endpoint, message('ping'))).status).toBe(202);
    await eventually(async () => stream.text.includes('event: message'));
    expect(stream.text.match(/event: message/g)).toHaveLength(1);
    expect(stream.text).toContain(`"id":${requests}`);
    stream.close();
  });

  test('a message for a stream that has ended is 404 at any process and starts nothing', async () => {
    const { id, path } = await aServer();
    const { stream, endpoint } = await openStream(path);
    stream.close();
    const call = message('tools/call', { name: 'Think', arguments: { input: 'hm' } });
    const refused = await eventually(async () => {
      const posted = await fleet.post(endpoint, call);
      return posted.status === 404 && posted;
    });
    expect(await refused.json()).toMatchObject({ code: 'NOT_FOUND' });
    const started = await executionsOf(id);
    const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(call) };
    expect((await fetch(`${fleet.otherUrl}/webhook/${endpoint}`, post)).status).toBe(404);
    expect(await executionsOf(id)).toBe(started);
  });

  test('streams and messages require the secret', async () => {
    const data = { name: 'x-key', value: 'secret-1' };
    const { body } = await fleet.api.call('POST', '/credentials', { body: { name: 'mcp', type: 'httpHeaderAuth', data } });
    const credentials = { httpHeaderAuth: { id: String(body.id), name: 'mcp' } };
    const { path } = await aServer({ authentication: 'headerAuth' }, { credentials });
    expect((await fleet.call(`${path}/sse`, { headers: events })).status).toBe(401);
    const { stream, endpoint } = await openStream(path, { 'x-key': 'secret-1' });
    expect((await fleet.post(endpoint, message('ping'))).status).toBe(401);
    expect((await fleet.post(endpoint, message('ping'), { 'x-key': 'secret-1' })).status).toBe(202);
    stream.close();
  });

  test('a server has a limited number of streams; closing one frees a slot', async () => {
    const { path } = await aServer();
    const replica = await fleet.startReplica({ EVENT_STREAMS_KEY_MAX: '1' });
    const open = (signal: AbortSignal) =>
      fetch(`http://127.0.0.1:${replica.port}/webhook/${path}/sse`, { headers: events, signal });
    const first = new AbortController();
    const never = new AbortController().signal;
    expect((await open(first.signal)).status).toBe(200);
    const refused = await open(never);
    expect([refused.status, await refused.json()]).toMatchObject([
      429,
      { code: 'RATE_LIMITED', message: 'the MCP server has 1 event streams open already' },
    ]);
    first.abort();
    const last = await eventually(async () => {
      const again = await open(never);
      return again.status === 200 && again;
    });
    await replica.stop();
    expect(await last.text()).toContain('event: endpoint');
  });

  test('a response that is too long is an error', async () => {
    const { path } = await aServer();
    const { stream, endpoint } = await openStream(path);
    const input = 'x'.repeat(1_100_000);
    await fleet.post(endpoint, message('tools/call', { name: 'Think', arguments: { input } }));
    const data = await eventually(async () => /event: message\ndata: (.*)\n\n/.exec(stream.text)?.[1] ?? false);
    expect(JSON.parse(data)).toMatchObject({
      id: requests,
      error: { code: -32_603, message: expect.stringContaining('too long') },
    });
    stream.close();
  });
});
