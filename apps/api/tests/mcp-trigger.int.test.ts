import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type JsonObject, randomId, type WorkflowNode } from '@sluice/domain';
import { aNode } from '@sluice/test-support';
import { startWebhookFleet, type WebhookFleet } from './support/webhook-fleet.ts';

let fleet: WebhookFleet;
beforeAll(async () => {
  fleet = await startWebhookFleet();
});
afterAll(() => fleet.close());

/** An active server with a tool that notes a thought; resolves to its workflow and path. */
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

test('a client connects, lists the tools, and calls one; only the latter two are executions', async () => {
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

test.each<[string, object, number, object]>([
  ['an unknown method', { jsonrpc: '2.0', id: 1, method: 'resources/list' }, 200, { id: 1, error: { code: -32_601 } }],
  ['a list of messages', [{ jsonrpc: '2.0', id: 1, method: 'ping' }], 400, { error: { code: -32_600 } }],
  ['another protocol', { id: 1, method: 'tools/list' }, 400, { error: { code: -32_600 } }],
  ['an ID that is no text or number', { jsonrpc: '2.0', id: {}, method: 'ping' }, 400, { error: { code: -32_600 } }],
])('%s is refused, and starts nothing', async (_, body, status, expected) => {
  const { id, path } = await aServer();
  const response = await fleet.post(path, body);
  expect([response.status, await response.json()]).toMatchObject([status, expected]);
  expect(await executionsOf(id)).toBe(0);
});

test('there are no streams to open, and no sessions to end', async () => {
  const { path } = await aServer();
  for (const method of ['GET', 'DELETE']) expect((await fleet.call(path, { method })).status).toBe(405);
});

test.each([
  ['bearerAuth', 'httpBearerAuth', { token: 'secret-1' }, { authorization: 'Bearer secret-1' }],
  ['headerAuth', 'httpHeaderAuth', { name: 'x-key', value: 'secret-1' }, { 'x-key': 'secret-1' }],
])('with %s, only clients with the secret are answered', async (authentication, type, data, headers) => {
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

test('without a path, the address ends with the webhook ID of the node', async () => {
  const webhookId = randomId();
  await aServer({ path: '' }, { webhookId });
  expect((await fleet.post(`mcp/${webhookId}`, message('ping'))).status).toBe(200);
});
