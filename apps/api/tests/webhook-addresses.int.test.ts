import { afterAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/domain';
import { aChain, aNode } from '@sluice/test-support';
import { aPath, aSet, codeOf, startWebhookFleet } from './support/webhook-fleet.ts';

const fleet = await startWebhookFleet();
afterAll(() => fleet.close());

/** A workflow with two webhooks whose paths overlap. */
async function activateBoth(webhookId: string): Promise<void> {
  const hook = (name: string, path: string) =>
    aNode({
      name,
      type: 'base.webhook',
      typeVersion: 2.1,
      parameters: { path, httpMethod: 'POST', responseMode: 'lastNode' },
      webhookId,
    });
  const [one, all] = [hook('One', 'orders/:order/items/:item'), hook('All', 'orders/:order/items/all')];
  const graph = aChain([all, aSet('Set', '={{ { all: $json.params.order } }}')]);
  const { body } = await fleet.api.call('POST', '/workflows', { body: { ...graph, nodes: [...graph.nodes, one] } });
  expect((await fleet.api.call('POST', `/workflows/${body.id}/activate`)).status).toBe(200);
}

describe('a webhook URL', () => {
  test('can contain parameters after the node ID; fixed segments take precedence', async () => {
    const webhookId = aPath();
    await activateBoth(webhookId);
    const response = await fleet.post(`${webhookId}/orders/a%20b%2Fc/items/7`, {});
    expect(((await response.json()) as JsonObject)['params']).toEqual({ order: 'a b/c', item: '7' });
    expect(await (await fleet.post(`${webhookId}/orders/5/items/all`, {})).json()).toEqual({ all: '5' });
    for (const wrong of [`${webhookId}/orders/5/items`, `${webhookId}/orders/5/items/6/7`, `orders/5/items/6`])
      expect((await fleet.post(wrong, {})).status).toBe(404);
  });

  test('that no active workflow listens at is not found', async () => {
    const path = aPath();
    expect([(await fleet.call(path)).status, await codeOf(await fleet.call(path))]).toEqual([404, 'NOT_FOUND']);
    expect((await fetch(`${fleet.api.url}/webhook`)).status).toBe(404);
    expect((await fetch(`${fleet.api.url}/webhook/`)).status).toBe(404);
  });

  test('works at every replica once the activation has returned, until the deactivation has returned', async () => {
    for (let round = 0; round < 10; round++) {
      const path = aPath();
      const id = await fleet.activate({ path });
      const urls = [fleet.api.url, fleet.otherUrl].map((url) => `${url}/webhook/${path}`);
      expect(await Promise.all(urls.map(async (url) => (await fetch(url)).status))).toEqual([200, 200]);
      await fleet.api.call('POST', `/workflows/${id}/deactivate`);
      expect(await Promise.all(urls.map(async (url) => (await fetch(url)).status))).toEqual([404, 404]);
    }
  });

  test('works at a replica that has just started', async () => {
    const path = aPath();
    await fleet.activate({ path });
    const replica = await fleet.startReplica();
    expect((await fetch(`http://127.0.0.1:${replica.port}/webhook/${path}`)).status).toBe(200);
    await replica.stop();
  });

  test('of another workflow is a conflict: the error names the workflow and the node, and the first workflow still works', async () => {
    const [path, webhookId] = [aPath(), aPath()];
    const first = await fleet.activate({ path: `${path}/:a`, options: { responseData: 'first' } }, [], { webhookId });
    const node = aNode({ name: 'Other', type: 'base.webhook', parameters: { path: `${path}/:b` }, webhookId });
    const { body } = await fleet.api.call('POST', '/workflows', {
      body: { name: 'w', nodes: [node], connections: {}, settings: {} },
    });
    const refused = await fleet.api.call('POST', `/workflows/${body.id}/activate`);
    expect([refused.status, refused.body.code]).toEqual([409, 'WEBHOOK_PATH_TAKEN']);
    expect(refused.body.message).toContain(`node "Webhook" of workflow ${first}`);
    expect((await fleet.api.call('GET', `/workflows/${body.id}`)).body.active).toBe(false);
    expect(await (await fleet.call(`${webhookId}/${path}/x`)).text()).toBe('first');
    await fleet.api.call('POST', `/workflows/${first}/deactivate`);
    expect((await fleet.api.call('POST', `/workflows/${body.id}/activate`)).status).toBe(200);
  });

  test('of a workflow in another project is rejected without information about that workflow', async () => {
    const [path, webhookId] = [aPath(), aPath()];
    const name = 'A name that other projects must not read';
    const first = await fleet.activate({ path: `${path}/:a` }, [], { webhookId });
    await fleet.api.call('PATCH', `/workflows/${first}`, { body: { name } });
    const { key } = await fleet.api.newUser('member');
    const node = aNode({
      name: 'Other',
      type: 'base.webhook',
      typeVersion: 2.1,
      parameters: { path: `${path}/:b` },
      webhookId,
    });
    const { body } = await fleet.api.call('POST', '/workflows', { key, body: { ...aChain([node]) } });
    const refused = await fleet.api.call('POST', `/workflows/${body.id}/activate`, { key });
    expect([refused.status, refused.body.code]).toEqual([409, 'WEBHOOK_PATH_TAKEN']);
    expect(refused.body.message).toMatch(/ of node "Other" is taken by another workflow$/);
    expect(JSON.stringify(refused.body)).not.toMatch(new RegExp(`${name}|${first}`));
  });

  test.each([
    ['fixed, below the ID of its node', (id: string) => ({ path: `${id}/orders/42` }), undefined],
    ['fixed, with the node ID of the other workflow', () => ({ path: 'orders/42/:more' }), 'orders/:id/:rest'],
    ['parameterized, with the node ID of the other workflow', () => ({ path: ':x/:y' }), undefined],
  ])('of another workflow cannot be captured by a path that is %s', async (_, parameters, victimPath) => {
    const webhookId = aPath();
    const path = victimPath ?? 'orders/:id';
    const first = await fleet.activate({ path, options: { responseData: 'first' } }, [], { webhookId });
    const node = aNode({ name: 'Thief', type: 'base.webhook', typeVersion: 2.1, parameters: parameters(webhookId), webhookId });
    const { body } = await fleet.api.call('POST', '/workflows', { body: { ...aChain([node]) } });
    const refused = await fleet.api.call('POST', `/workflows/${body.id}/activate`);
    expect([refused.status, refused.body.code]).toEqual([409, 'WEBHOOK_PATH_TAKEN']);
    expect(refused.body.message).toContain(`node "Webhook" of workflow ${first}`);
    const tried = await fleet.api.call('POST', `/workflows/${first}/test-urls`, { body: {} });
    expect([200, 201]).toContain(tried.status);
    const refusedTest = await fleet.api.call('POST', `/workflows/${body.id}/test-urls`, { body: {} });
    expect([refusedTest.status, refusedTest.body.code]).toEqual([409, 'WEBHOOK_PATH_TAKEN']);
    await fleet.api.call('POST', `/workflows/${first}/deactivate`);
    expect((await fleet.api.call('POST', `/workflows/${body.id}/activate`)).status).toBe(200);
    expect((await fleet.api.call('POST', `/workflows/${first}/activate`)).status).toBe(409);
  });

  test('with parameters goes to one of several workflows that are activated concurrently', async () => {
    const webhookId = aPath();
    const ids = await Promise.all(
      ['orders/:id', ':what/all', ':a/:b', ':c/:d'].map(async (path) => {
        const node = aNode({ name: 'W', type: 'base.webhook', typeVersion: 2.1, parameters: { path }, webhookId });
        return (await fleet.api.call('POST', '/workflows', { body: { ...aChain([node]) } })).body.id;
      }),
    );
    const statuses = await Promise.all(
      ids.map(async (id) => (await fleet.api.call('POST', `/workflows/${id}/activate`)).status),
    );
    expect(statuses.toSorted()).toEqual([200, 409, 409, 409]);
  });

  test.each(['.', '..', 'a/../b', 'a/./b', '\ud800'])('with the path %j is rejected', async (path) => {
    const node = aNode({ name: 'W', type: 'base.webhook', typeVersion: 2.1, parameters: { path } });
    const { status, body } = await fleet.api.call('POST', '/workflows', { body: { ...aChain([node]) } });
    if (status === 400) return;
    const refused = await fleet.api.call('POST', `/workflows/${body.id}/activate`);
    expect([refused.status, refused.body.code]).toEqual([400, 'VALIDATION_ERROR']);
  });

  test('is free again after its workflow is deleted', async () => {
    const path = aPath();
    await fleet.api.call('DELETE', `/workflows/${await fleet.activate({ path })}`);
    await fleet.activate({ path });
    expect((await fleet.call(path)).status).toBe(200);
  });

  test('runs the active version, even if newer versions were saved', async () => {
    const path = aPath();
    const webhook = aNode({
      name: 'Webhook',
      type: 'base.webhook',
      typeVersion: 2,
      parameters: { path, responseMode: 'lastNode' },
    });
    const save = (value: number) => ({
      name: 'w',
      nodes: [webhook, aSet('Set', `={{ { value: ${value} } }}`)],
      connections: { Webhook: { main: [[{ node: 'Set', type: 'main', index: 0 }]] } },
      settings: {},
    });
    const { body } = await fleet.api.call('POST', '/workflows', { body: save(1) });
    await fleet.api.call('POST', `/workflows/${body.id}/activate`);
    expect((await fleet.api.call('PATCH', `/workflows/${body.id}`, { body: save(2) })).status).toBe(200);
    expect(await (await fleet.call(path)).json()).toEqual({ value: 1 });
    await fleet.api.call('POST', `/workflows/${body.id}/activate`);
    expect(await (await fleet.call(path)).json()).toEqual({ value: 2 });
  });
});

describe('pages of other origins', () => {
  const origin = 'https://app.example';
  const preflight = (path: string, from = origin) =>
    fleet.call(path, {
      method: 'OPTIONS',
      headers: { origin: from, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type,x-a' },
    });

  test('can read every response, unless the node lists its origins', async () => {
    const [open, closed] = [aPath(), aPath()];
    await fleet.activate({ path: open, httpMethod: 'POST' });
    await fleet.activate({ path: closed, httpMethod: 'POST', options: { allowedOrigins: origin } });
    const allowed = async (response: Response) => response.headers.get('access-control-allow-origin');
    expect(await allowed(await fleet.post(open, {}, { origin }))).toBe('*');
    expect(await allowed(await fleet.post(closed, {}, { origin }))).toBe(origin);
    expect(await allowed(await fleet.post(closed, {}, { origin: 'https://evil.example' }))).toBeNull();
    const received = await preflight(closed);
    expect([received.status, await allowed(received), received.headers.get('access-control-allow-methods')]).toEqual([
      204,
      origin,
      'POST',
    ]);
    expect(received.headers.get('access-control-allow-headers')).toBe('content-type,x-a');
    expect(await allowed(await preflight(closed, 'https://evil.example'))).toBeNull();
  });

  test('get the allowed methods for a plain OPTIONS, which starts nothing', async () => {
    const path = aPath();
    await fleet.activate({ path, multipleMethods: true, httpMethod: ['GET', 'POST'] });
    const response = await fleet.call(path, { method: 'OPTIONS' });
    expect([response.status, response.headers.get('allow')]).toEqual([204, 'GET, OPTIONS, POST']);
    expect((await preflight(aPath())).status).toBe(404);
  });
});

test('the forwarded address of a client is used only behind a trusted proxy', async () => {
  const [near, far] = [aPath(), aPath()];
  await fleet.activate({ path: near, options: { ipWhitelist: '127.0.0.0/8, ::1' } });
  await fleet.activate({ path: far, options: { ipWhitelist: '10.0.0.0/8' } });
  const headers = { 'x-forwarded-for': '10.1.2.3' };
  expect((await fleet.call(near, { headers })).status).toBe(200);
  const refused = await fleet.call(far, { headers });
  expect([refused.status, await codeOf(refused)]).toEqual([403, 'FORBIDDEN']);
});

describe('a HEAD', () => {
  test('to a GET webhook starts nothing, whether or not the route is cached', async () => {
    const path = aPath();
    const id = await fleet.activate({ path });
    for (let round = 0; round < 2; round++) {
      const response = await fleet.call(path, { method: 'HEAD' });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, OPTIONS']);
      expect((await fleet.call(path)).status).toBe(200);
    }
    expect(await fleet.statusesOf(id)).toHaveLength(2);
  });

  test('starts a workflow whose node accepts HEAD and gets a response without a body', async () => {
    const path = aPath();
    const id = await fleet.activate({ path, httpMethod: 'HEAD', responseMode: 'lastNode' }, [aSet('Set', '={{ { a: 1 } }}')]);
    const response = await fleet.call(path, { method: 'HEAD' });
    expect([response.status, response.headers.get('content-length'), await response.text()]).toEqual([200, '7', '']);
    expect(await fleet.statusesOf(id)).toEqual(['success']);
    const refused = await fleet.call(path);
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'HEAD, OPTIONS']);
  });
});
