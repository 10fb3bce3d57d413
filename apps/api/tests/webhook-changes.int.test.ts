import { request } from 'node:http';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { JsonObject, WorkflowNode } from '@sluice/domain';
import { aChain, aNode, eventually } from '@sluice/test-support';
import { sql } from 'kysely';
import { aPath, aSet, startWebhookFleet } from './support/webhook-fleet.ts';

const fleet = await startWebhookFleet({ RATE_LIMIT_MISS_MAX: '10000' });
afterAll(() => fleet.close());

interface ApiResponse {
  status: number;
  body: JsonObject;
}

/** A request whose headers have arrived. Its body follows when `end` is called. */
async function beginCall(address: string, contentType = 'application/json'): Promise<(body: string) => Promise<ApiResponse>> {
  const headers = { 'content-type': contentType, accept: 'application/json', 'transfer-encoding': 'chunked' };
  const outgoing = request(`${fleet.api.url}/${address}`, { method: 'POST', headers });
  const answered = new Promise<ApiResponse>((resolve, reject) => {
    outgoing.once('error', reject);
    outgoing.once('response', async (response) => {
      let text = '';
      for await (const chunk of response.setEncoding('utf8')) text += String(chunk);
      resolve({ status: response.statusCode ?? 0, body: text.startsWith('{') ? (JSON.parse(text) as JsonObject) : {} });
    });
  });
  await lookUpDuring(address.startsWith('webhook-test') ? 'test_routes' : 'webhook_routes', () => outgoing.flushHeaders());
  return (body) => {
    outgoing.end(body);
    return answered;
  };
}

/**
 * Resolves once the route lookup that `begin` causes has ended. Blocks the lookup until it is among
 * the active queries, then waits until it no longer is.
 */
async function lookUpDuring(table: 'test_routes' | 'webhook_routes', begin: () => void): Promise<void> {
  const { kysely } = fleet.api.db;
  const asking = async () => {
    const { rows } = await sql`SELECT FROM pg_stat_activity WHERE datname = current_database() AND state = 'active'
      AND pid <> pg_backend_pid() AND query LIKE ${`%FROM ${table} r%`}`.execute(kysely);
    return rows.length > 0;
  };
  await kysely.transaction().execute(async (tx) => {
    await sql`LOCK TABLE ${sql.table(table)}`.execute(tx);
    begin();
    await eventually(asking);
  });
  await eventually(async () => !(await asking()));
}

const aWebhook = (path: string, more: JsonObject = {}): WorkflowNode =>
  aNode({
    name: 'Webhook',
    type: 'base.webhook',
    typeVersion: 2.1,
    parameters: { path, httpMethod: 'POST', responseMode: 'lastNode', ...more },
  });
const deactivate = (id: string) => fleet.api.call('POST', `/workflows/${id}/deactivate`);

async function change(id: string, nodes: WorkflowNode[]): Promise<void> {
  await fleet.api.call('PATCH', `/workflows/${id}`, { body: aChain(nodes) });
  expect((await fleet.api.call('POST', `/workflows/${id}/activate`)).status).toBe(200);
}

async function aVersioned(path: string): Promise<string> {
  return fleet.activate({ path, httpMethod: 'POST', responseMode: 'lastNode' }, [aSet('Set', '={{ { version: 1 } }}')]);
}

describe('a request whose body arrives after', () => {
  test('a deactivation starts nothing', async () => {
    const path = aPath();
    const id = await aVersioned(path);
    const end = await beginCall(`webhook/${path}`);
    expect((await deactivate(id)).status).toBe(200);
    expect(await end('{}')).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    expect(await fleet.statusesOf(id)).toEqual([]);
  });

  test('an activation runs the version that is active by then', async () => {
    const path = aPath();
    const id = await aVersioned(path);
    const end = await beginCall(`webhook/${path}`);
    await change(id, [aWebhook(path), aSet('Set', '={{ { version: 2 } }}')]);
    expect(await end('{}')).toEqual({ status: 200, body: { version: 2 } });
  });

  test('an activation that changed the webhook must be sent again', async () => {
    const path = aPath();
    const id = await aVersioned(path);
    const end = await beginCall(`webhook/${path}`);
    await change(id, [aWebhook(path, { options: { ipWhitelist: '10.0.0.1' } }), aSet('Set', '={{ { version: 2 } }}')]);
    expect(await end('{}')).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    expect(await fleet.statusesOf(id)).toEqual([]);
  });

  test('another workflow took over the path reaches neither workflow', async () => {
    const path = aPath();
    const id = await aVersioned(path);
    const end = await beginCall(`webhook/${path}`);
    await deactivate(id);
    const other = await aVersioned(path);
    expect(await end('{}')).toMatchObject({ status: 404 });
    expect([await fleet.statusesOf(id), await fleet.statusesOf(other)]).toEqual([[], []]);
  });

  test('the form was deactivated starts nothing', async () => {
    const path = aPath();
    const fields = { values: [{ fieldLabel: 'Name', fieldName: 'name' }] };
    const id = await fleet.activate({ formTitle: 'Hello', formFields: fields, options: { path } }, [], {
      name: 'Form',
      type: 'base.form-trigger',
      typeVersion: 2.5,
    });
    const end = await beginCall(`form/${path}`);
    await deactivate(id);
    expect((await end('{"name":"x"}')).status).toBe(404);
    expect(await fleet.statusesOf(id)).toEqual([]);
  });
});

test('a request whose test URL closes before its body arrives gets no information about other test URLs', async () => {
  const path = aPath();
  const { body } = await fleet.api.call('POST', '/workflows', { body: aChain([aWebhook(path)]) });
  await fleet.api.call('POST', `/workflows/${body.id}/test-urls`);
  const end = await beginCall(`webhook-test/${path}`);
  expect((await fleet.api.call('DELETE', `/workflows/${body.id}/test-urls`)).status).toBeLessThan(300);
  const received = await end('{}');
  expect(received).toMatchObject({ status: 404, body: { message: expect.stringContaining('is no longer open') } });
});

describe('a route that both replicas have cached', () => {
  const bothAt = (path: string, body = '{}') =>
    Promise.all(
      [fleet.api.url, fleet.otherUrl].map(async (url) => {
        const headers = { 'content-type': 'application/json', accept: 'application/json' };
        const response = await fetch(`${url}/webhook/${path}`, { method: 'POST', headers, body });
        return { status: response.status, body: (await response.json()) as JsonObject };
      }),
    );
  const twice = <T>(value: T) => [value, value];

  async function aCalled(path: string): Promise<string> {
    const id = await aVersioned(path);
    for (let i = 0; i < 2; i++) expect(await bothAt(path)).toEqual(twice({ status: 200, body: { version: 1 } }));
    return id;
  }

  test('is not found after its deactivation, with or without a body', async () => {
    const path = aPath();
    const id = await aCalled(path);
    expect(await bothAt(path, '{')).toMatchObject(twice({ status: 400, body: { code: 'VALIDATION_ERROR' } }));
    await deactivate(id);
    for (const body of ['{}', '{', '']) expect(await bothAt(path, body)).toMatchObject(twice({ status: 404 }));
    expect(await fleet.statusesOf(id)).toHaveLength(4);
  });

  test('runs the active version as soon as it is activated', async () => {
    const path = aPath();
    const id = await aCalled(path);
    await change(id, [aWebhook(path), aSet('Set', '={{ { version: 2 } }}')]);
    expect(await bothAt(path)).toEqual(twice({ status: 200, body: { version: 2 } }));
  });

  test('is checked against the current webhook', async () => {
    const path = aPath();
    const id = await aCalled(path);
    await change(id, [aWebhook(path, { options: { ipWhitelist: '10.0.0.1' } }), aSet('Set', '={{ { version: 2 } }}')]);
    expect(await bothAt(path)).toMatchObject(twice({ status: 403 }));
    await change(id, [aWebhook(path, { httpMethod: 'GET' }), aSet('Set', '={{ { version: 3 } }}')]);
    expect(await bothAt(path)).toMatchObject(twice({ status: 405 }));
    expect(await fleet.statusesOf(id)).toHaveLength(4);
  });

  test('runs the workflow that took over the path', async () => {
    const path = aPath();
    const id = await aCalled(path);
    await deactivate(id);
    const other = await fleet.activate({ path, httpMethod: 'POST', responseMode: 'lastNode' }, [
      aSet('Set', '={{ { workflow: "other" } }}'),
    ]);
    expect(await bothAt(path)).toEqual(twice({ status: 200, body: { workflow: 'other' } }));
    expect([await fleet.statusesOf(id), await fleet.statusesOf(other)].map(({ length }) => length)).toEqual([4, 2]);
  });

  test('is not found after the workflow is deleted', async () => {
    const path = aPath();
    const id = await aCalled(path);
    await deactivate(id);
    expect((await fleet.api.call('DELETE', `/workflows/${id}`)).status).toBeLessThan(300);
    expect(await bothAt(path)).toMatchObject(twice({ status: 404 }));
  });
});

test('no execution starts after a deactivation has returned, even for requests in flight', async () => {
  const path = aPath();
  const id = await fleet.activate({ path, httpMethod: 'POST' });
  for (let round = 0; round < 15; round++) {
    await fleet.api.call('POST', `/workflows/${id}/activate`);
    const urls = Array.from({ length: 6 }, (_, i) => (i % 2 ? fleet.api.url : fleet.otherUrl));
    const responses = Promise.all(urls.map((url) => fetch(`${url}/webhook/${path}`, { method: 'POST' })));
    await deactivate(id);
    const before = (await fleet.statusesOf(id)).length;
    const accepted = (await responses).map(({ status }) => status);
    expect(accepted.filter((status) => status !== 200 && status !== 404)).toEqual([]);
    expect((await fleet.statusesOf(id)).length).toBe(before);
  }
});
