import { afterAll, describe, expect, test } from '@jest/globals';
import type { JsonObject, WorkflowNode } from '@sluice/domain';
import { aChain, aNode, eventually } from '@sluice/test-support';
import { aPath, aSet, codeOf, startWebhookFleet } from './support/webhook-fleet.ts';

const fleet = await startWebhookFleet();
afterAll(() => fleet.close());

const aWebhook = (parameters: JsonObject, more: Partial<WorkflowNode> = {}) =>
  aNode({ name: 'Webhook', type: 'base.webhook', typeVersion: 2.1, parameters, ...more });
const aWorkflow = async (nodes: WorkflowNode[]) =>
  (await fleet.api.call('POST', '/workflows', { body: aChain(nodes) })).body.id as string;
const open = (id: string, body?: unknown) => fleet.api.call('POST', `/workflows/${id}/test-urls`, { body });
const testUrlsOf = async (id: string) => (await fleet.api.call('GET', `/workflows/${id}/test-urls`)).body;
const callTest = (path: string, init?: RequestInit, url = fleet.api.url) => fetch(`${url}/webhook-test/${path}`, init);

test('a test URL works once for an inactive workflow, at any replica, with the same response as the production URL', async () => {
  const path = aPath();
  const id = await aWorkflow([
    aWebhook({ path, httpMethod: 'POST', responseMode: 'lastNode' }),
    aSet('Set', '={{ { mode: $json.executionMode, n: $json.body.n, url: $json.webhookUrl } }}'),
  ]);
  const { status, body } = await open(id);
  const url = `https://sluice.example/webhook-test/${path}`;
  expect([status, body]).toEqual([
    200,
    {
      open: true,
      expiresAt: expect.any(String),
      executionId: null,
      urls: [{ nodeName: 'Webhook', kind: 'webhook', methods: ['POST'], url }],
    },
  ]);
  expect(Date.parse(body.expiresAt) - Date.now()).toBeGreaterThan(100_000);
  const init = { method: 'POST', body: '{"n":1}', headers: { 'content-type': 'application/json' } };
  expect(await (await callTest(path, init, fleet.otherUrl)).json()).toEqual({ mode: 'test', n: 1, url });
  const after = await testUrlsOf(id);
  expect(after).toMatchObject({ open: false, executionId: expect.stringMatching(/^\d+$/) });
  const execution = await fleet.api.call('GET', `/executions/${after.executionId}`);
  expect(execution.body).toMatchObject({ mode: 'manual', status: 'success', workflowId: id });
  expect((await callTest(path, init)).status).toBe(404);
  expect((await fleet.call(path, init)).status).toBe(404);
});

test('a test URL that is not open is not found, and the error explains how to open it', async () => {
  const response = await callTest(aPath());
  expect([response.status, await response.json()]).toEqual([
    404,
    expect.objectContaining({ code: 'NOT_FOUND', message: expect.stringContaining('/test-urls') }),
  ]);
});

test('a test URL runs the newest version while production runs the active version; opening it again resets it', async () => {
  const path = aPath();
  const id = await fleet.activate({ path, responseMode: 'lastNode' }, [aSet('Set', '={{ { version: 1 } }}')]);
  const nodes = [aWebhook({ path, responseMode: 'lastNode' }), aSet('Set', '={{ { version: 2 } }}')];
  await fleet.api.call('PATCH', `/workflows/${id}`, { body: aChain(nodes) });
  for (let round = 0; round < 2; round++) {
    await open(id);
    expect(await (await callTest(path)).json()).toEqual({ version: 2 });
  }
  expect(await (await fleet.call(path)).json()).toEqual({ version: 1 });
});

test('a test URL can run an unsaved graph', async () => {
  const path = aPath();
  const id = await aWorkflow([aWebhook({ path: aPath() })]);
  const { nodes, connections } = aChain([aWebhook({ path, responseMode: 'lastNode' }), aSet('Set', '={{ { draft: true } }}')]);
  expect((await open(id, { workflowData: { nodes, connections } })).status).toBe(200);
  expect(await (await callTest(path)).json()).toEqual({ draft: true });
  const bad = await open(id, { workflowData: { nodes: [...nodes, ...nodes], connections } });
  expect([bad.status, bad.body.code]).toEqual([400, 'VALIDATION_ERROR']);
});

test('a test URL accepts one of many concurrent requests, and rejected requests do not count', async () => {
  const path = aPath();
  const id = await aWorkflow([aWebhook({ path, httpMethod: 'POST', options: { ipWhitelist: '127.0.0.1' } })]);
  await open(id);
  const wrong = await callTest(path);
  expect([wrong.status, wrong.headers.get('allow'), await codeOf(wrong)]).toEqual([405, 'OPTIONS, POST', 'METHOD_NOT_ALLOWED']);
  const init = { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } };
  expect((await callTest(path, init)).status).toBe(400);
  const urls = [fleet.api.url, fleet.otherUrl];
  const requests = Array.from({ length: 10 }, (_, i) => callTest(path, { method: 'POST' }, urls[i % 2]));
  const statuses = (await Promise.all(requests)).map(({ status }) => status).toSorted((a, b) => a - b);
  expect(statuses).toEqual([200, ...new Array(9).fill(404)]);
  const { body } = await fleet.api.call('GET', `/executions?workflowId=${id}`);
  expect(body.data ?? body.results ?? body).toHaveLength(1);
});

test('a test URL is not used up by a HEAD, which starts nothing for a GET webhook', async () => {
  const path = aPath();
  const id = await aWorkflow([aWebhook({ path })]);
  await open(id);
  const response = await callTest(path, { method: 'HEAD' });
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, OPTIONS']);
  expect(await testUrlsOf(id)).toMatchObject({ open: true, executionId: null });
  expect((await callTest(path)).status).toBe(200);
});

test('at a test URL, expressions can read whether the workflow is active', async () => {
  const path = aPath();
  const id = await aWorkflow([aWebhook({ path, options: { responseData: '=active: {{ $workflow.active }}' } })]);
  await open(id);
  expect(await (await callTest(path)).text()).toBe('active: false');
  await fleet.api.call('POST', `/workflows/${id}/activate`);
  expect(await (await fleet.call(path)).text()).toBe('active: true');
  await open(id);
  expect(await (await callTest(path)).text()).toBe('active: true');
});

test('a test URL closes after its timeout on the database clock, or on request', async () => {
  const path = aPath();
  const id = await aWorkflow([aWebhook({ path })]);
  await open(id);
  await fleet.api.db.kysely
    .updateTable('test_urls')
    .set({ expires_at: new Date(0) })
    .where('workflow_id', '=', id)
    .execute();
  expect((await callTest(path)).status).toBe(404);
  expect(await testUrlsOf(id)).toMatchObject({ open: false, executionId: null });
  await open(id);
  expect(await fleet.api.call('DELETE', `/workflows/${id}/test-urls`)).toMatchObject({ status: 200, body: { success: true } });
  expect((await callTest(path)).status).toBe(404);
  expect((await fleet.api.call('GET', `/workflows/${id}/test-urls`)).status).toBe(404);
});

test('a test URL closes when its workflow is moved to another project, where its user may have no rights', async () => {
  const [moved, keptProject] = [
    await fleet.api.projects.createTeam({ name: 'old' }),
    await fleet.api.projects.createTeam({ name: 'new' }),
  ];
  for (const move of [
    (id: string) => fleet.api.call('PUT', `/workflows/${id}/transfer`, { body: { destinationProjectId: keptProject.id } }),
    () => fleet.api.call('DELETE', `/projects/${moved.id}?transferTo=${keptProject.id}`),
  ]) {
    const path = aPath();
    const body = { ...aChain([aWebhook({ path })]), projectId: moved.id };
    const { id } = (await fleet.api.call('POST', '/workflows', { body })).body;
    expect((await open(id)).body.open).toBe(true);
    expect((await move(id)).status).toBeLessThan(300);
    expect((await callTest(path)).status).toBe(404);
    expect((await fleet.api.call('GET', `/executions?workflowId=${id}`)).body.data).toEqual([]);
  }
});

test('a test URL that is open for one workflow cannot be opened for another until it has received its request', async () => {
  const path = aPath();
  const [first, second] = [await aWorkflow([aWebhook({ path })]), await aWorkflow([aWebhook({ path }, { name: 'Other' })])];
  await open(first);
  const refused = await open(second);
  expect([refused.status, refused.body.code]).toEqual([409, 'WEBHOOK_PATH_TAKEN']);
  expect(refused.body.message).toContain(`node "Webhook" of workflow ${first}`);
  await callTest(path);
  expect((await open(second)).status).toBe(200);
});

describe('the path of another project', () => {
  const name = 'A name that other projects must not read';

  /** A workflow of another user with this path, and a function that opens its test URLs. */
  async function aStranger(parameters: JsonObject, more: Partial<WorkflowNode> = {}) {
    const { key } = await fleet.api.newUser('member');
    const created = await fleet.api.call('POST', '/workflows', { key, body: aChain([aWebhook(parameters, more)]) });
    const id = created.body.id as string;
    return { id, open: () => fleet.api.call('POST', `/workflows/${id}/test-urls`, { key }) };
  }

  test('with an open test URL is a conflict that reveals nothing about its workflow', async () => {
    const path = aPath();
    const id = await aWorkflow([aWebhook({ path })]);
    await fleet.api.call('PATCH', `/workflows/${id}`, { body: { name } });
    await open(id);
    const { status, body } = await (await aStranger({ path })).open();
    expect([status, body.code]).toEqual([409, 'WEBHOOK_PATH_TAKEN']);
    expect(body.message).toMatch(/ is open for another workflow$/);
    expect(JSON.stringify(body)).not.toMatch(new RegExp(`${name}|${id}`));
  });

  test.each([
    ['a fixed path', 'orders', 'orders'],
    ['a path with a parameter', 'orders/:id', ':kind/7'],
    ['a fixed path that a parameter matches', 'orders/7', 'orders/:id'],
  ])('that its active workflow uses cannot be tested: %s', async (_, theirs, ours) => {
    const webhookId = aPath();
    const placed = (path: string) => (path.includes(':') ? path : `${webhookId}/${path}`);
    const id = await fleet.activate({ path: placed(theirs) }, [], { webhookId });
    const stranger = await aStranger({ path: placed(ours) }, { webhookId });
    const { status, body } = await stranger.open();
    expect([status, body.code]).toEqual([409, 'WEBHOOK_PATH_TAKEN']);
    expect(body.message).toMatch(/ belongs to another workflow$/);
    expect((await open(id)).status).toBe(200);
    await fleet.api.call('DELETE', `/workflows/${id}/test-urls`);
    await fleet.api.call('POST', `/workflows/${id}/deactivate`);
    expect((await stranger.open()).status).toBe(200);
  });
});

test('a test URL requires the right to run the workflow, and a webhook in it', async () => {
  const id = await aWorkflow([aWebhook({ path: aPath() })]);
  const { key } = await fleet.api.newUser('member');
  for (const method of ['POST', 'GET', 'DELETE'])
    expect((await fleet.api.call(method, `/workflows/${id}/test-urls`, { key })).status).toBe(403);
  const without = await open(await aWorkflow([aSet('Set', '={{ {} }}')]));
  expect([without.status, without.body.message]).toEqual([400, expect.stringContaining('no node that accepts requests')]);
  const broken = await open(await aWorkflow([aWebhook({ path: 'a b' })]));
  expect([broken.status, JSON.stringify(broken.body)]).toEqual([400, expect.stringContaining('path')]);
});

test('a test URL accepts files, and a node can send the response', async () => {
  const path = aPath();
  const id = await aWorkflow([
    aWebhook({ path, httpMethod: 'POST', responseMode: 'responseNode' }),
    aNode({
      name: 'Respond',
      type: 'base.respond-to-webhook',
      typeVersion: 1.4,
      parameters: { respondWith: 'binary' },
    }),
  ]);
  await open(id);
  const response = await callTest(path, { method: 'POST', body: 'abc', headers: { 'content-type': 'image/gif' } });
  expect([response.headers.get('content-type'), await response.text()]).toEqual(['image/gif', 'abc']);
  const { executionId } = await testUrlsOf(id);
  await eventually(async () => (await fleet.api.call('GET', `/executions/${executionId}`)).body.status === 'success');
});
