import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { JsonObject } from '@sluice/domain';
import { aNode, eventually } from '@sluice/test-support';
import { startTestApi } from './support/test-api.ts';
import { aCode, aRespond, aSet, startWebhookFleet, type WebhookFleet } from './support/webhook-fleet.ts';

jest.setTimeout(60_000);

let fleet: WebhookFleet;

beforeAll(async () => {
  fleet = await startWebhookFleet({ WEBHOOK_WAIT_MS: '1500', BODY_LIMIT_BYTES: '20000', BINARY_MAX_BYTES: '50000' });
});
afterAll(() => fleet.close());

let paths = 0;
const aPath = () => `path-${++paths}`;
const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fleet.call(path, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } });
const codeOf = async (response: Response) => ((await response.json()) as { code: string }).code;

/** A webhook that answers with the item that it makes. */
async function anEcho(parameters: JsonObject = {}, more: Parameters<WebhookFleet['activate']>[2] = {}): Promise<string> {
  const path = aPath();
  await fleet.activate({ path, httpMethod: 'POST', responseMode: 'lastNode', ...parameters }, [], more);
  return path;
}

describe('the item of a call', () => {
  test('has what the call brought', async () => {
    const path = await anEcho();
    const response = await post(`${path}?a=1&a=2&b=x`, { n: 1 }, { 'x-own': 'yes' });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      headers: expect.objectContaining({ 'x-own': 'yes', 'content-type': 'application/json' }),
      params: {},
      query: { a: ['1', '2'], b: 'x' },
      body: { n: 1 },
      webhookUrl: `https://sluice.example/webhook/${path}`,
      executionMode: 'production',
    });
  });

  test.each<[string, string, unknown]>([
    ['application/json', '[1,null]', [1, null]],
    ['application/vnd.api+json; charset=utf-8', '"x"', 'x'],
    ['application/x-www-form-urlencoded', 'a=1&b=x+y&a=2', { a: ['1', '2'], b: 'x y' }],
    ['text/plain', 'hello', 'hello'],
    ['application/xml', '<a/>', '<a/>'],
  ])('has the body of %s', async (type, body, expected) => {
    const path = await anEcho();
    const response = await fleet.call(path, { method: 'POST', body, headers: { 'content-type': type } });
    expect(((await response.json()) as JsonObject)['body']).toEqual(expected);
  });

  test('comes out of the output of its method', async () => {
    const path = aPath();
    const webhook = aNode({
      name: 'Webhook',
      type: 'base.webhook',
      typeVersion: 2,
      parameters: { path, multipleMethods: true, httpMethod: ['GET', 'PUT'], responseMode: 'lastNode' },
    });
    const to = (node: string) => [{ node, type: 'main', index: 0 }];
    const nodes = [webhook, aSet('Got', '={{ { got: true } }}'), aSet('Put', '={{ { put: true } }}')];
    const connections = { Webhook: { main: [to('Got'), to('Put')] } };
    const { body } = await fleet.api.call('POST', '/workflows', { body: { name: 'w', nodes, connections, settings: {} } });
    await fleet.api.call('POST', `/workflows/${body.id}/activate`);
    expect(await (await fleet.call(path)).json()).toEqual({ got: true });
    expect(await (await fleet.call(path, { method: 'PUT' })).json()).toEqual({ put: true });
    const refused = await fleet.call(path, { method: 'DELETE' });
    expect([refused.status, refused.headers.get('allow'), await codeOf(refused)]).toEqual([
      405,
      'GET, PUT',
      'METHOD_NOT_ALLOWED',
    ]);
  });

  test.each<[string, string, string, number]>([
    ['that is no JSON', 'application/json', '{', 400],
    ['that is too large', 'application/json', JSON.stringify('x'.repeat(30_000)), 413],
    ['that is nested too deep', 'application/json', `${'['.repeat(200)}${']'.repeat(200)}`, 400],
  ])('is not made of a body %s', async (_, type, body, status) => {
    const path = await anEcho();
    expect((await fleet.call(path, { method: 'POST', body, headers: { 'content-type': type } })).status).toBe(status);
  });
});

describe('files of a call', () => {
  const binaryOf = `return $input.all().map(({ json, binary }) => ({ json: { body: json.body, binary } }))`;

  async function aFileEcho(options: JsonObject = {}, typeVersion = 2): Promise<string> {
    const path = aPath();
    const parameters = { path, httpMethod: 'POST', responseMode: 'lastNode', options };
    await fleet.activate(parameters, [aCode('Code', binaryOf)], { typeVersion });
    return path;
  }

  test('of a form are stored, and its fields are the body', async () => {
    const form = new FormData();
    form.append('note', 'hello');
    form.append('note', 'again');
    form.append('file', new Blob(['abc'], { type: 'text/plain' }), 'a.txt');
    const response = await fleet.call(await aFileEcho(), { method: 'POST', body: form });
    const { body, binary } = (await response.json()) as { body: JsonObject; binary: Record<string, JsonObject> };
    expect(body).toEqual({ note: ['hello', 'again'] });
    expect(binary).toEqual({
      file: { id: expect.any(String), fileName: 'a.txt', mimeType: 'text/plain', fileExtension: 'txt', fileSize: 3 },
    });
    const stored = await fetch(`${fleet.api.url}/api/v1/binary-data/${binary['file']?.['id']}`, {
      headers: { 'x-service-api-key': 'an-owner-key-of-any-format' },
    });
    expect(await stored.text()).toBe('abc');
  });

  test.each<[JsonObject, string[]]>([
    [{}, ['file0', 'file1', 'other']],
    [{ binaryPropertyName: 'up' }, ['up0', 'up1', 'up2']],
  ])('of a form with %j are named %j', async (options, names) => {
    const form = new FormData();
    for (const field of ['file', 'file', 'other']) form.append(field, new Blob(['x']), 'x.bin');
    const response = await fleet.call(await aFileEcho(options), { method: 'POST', body: form });
    expect(Object.keys(((await response.json()) as { binary: JsonObject }).binary)).toEqual(names);
  });

  test('may be the whole body', async () => {
    const path = await aFileEcho();
    const response = await fleet.call(path, {
      method: 'POST',
      body: new Uint8Array(1_000),
      headers: { 'content-type': 'image/png' },
    });
    expect(await response.json()).toMatchObject({ body: {}, binary: { data: { mimeType: 'image/png', fileSize: 1_000 } } });
  });

  test('may be the body as it came, beside what it says', async () => {
    const response = await post(await aFileEcho({ rawBody: true }), { a: 1 });
    expect(await response.json()).toMatchObject({
      body: { a: 1 },
      binary: { data: { mimeType: 'application/json', fileSize: 7 } },
    });
  });

  test('over the cap are refused, and nothing is started or kept', async () => {
    const path = await aFileEcho();
    const before = await counts();
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(60_000)]), 'big.bin');
    expect((await fleet.call(path, { method: 'POST', body: form })).status).toBe(413);
    const body = new Uint8Array(60_000);
    expect((await fleet.call(path, { method: 'POST', body, headers: { 'content-type': 'image/png' } })).status).toBe(413);
    expect(await counts()).toEqual(before);
  });

  test('are refused by the first version unless it is asked to take them', async () => {
    const headers = { 'content-type': 'image/png' };
    const refused = await fleet.call(await aFileEcho({}, 1), { method: 'POST', body: 'x', headers });
    expect(refused.status).toBe(415);
    const taken = await fleet.call(await aFileEcho({ binaryData: true }, 1), { method: 'POST', body: 'x', headers });
    expect(await taken.json()).toMatchObject({ binary: { data: { fileSize: 1 } } });
  });

  async function counts(): Promise<unknown> {
    const { kysely } = fleet.api.db;
    const count = (table: 'executions' | 'binary_data') =>
      kysely
        .selectFrom(table)
        .select(({ fn }) => fn.countAll().as('n'))
        .executeTakeFirstOrThrow();
    return [await count('executions'), await count('binary_data')];
  }
});

describe('the address', () => {
  test('may hold parameters, behind the id of the node; fixed parts come first', async () => {
    const webhookId = aPath();
    const parameters = (path: string) => ({ path, httpMethod: 'POST', responseMode: 'lastNode' });
    await fleet.activate(parameters('orders/:order/items/:item'), [], { webhookId });
    await fleet.activate(parameters('orders/:order/items/all'), [aSet('All', '={{ { all: $json.params.order } }}')], {
      webhookId,
    });
    const response = await post(`${webhookId}/orders/a%20b%2Fc/items/7`, {});
    expect(((await response.json()) as JsonObject)['params']).toEqual({ order: 'a b/c', item: '7' });
    expect(await (await post(`${webhookId}/orders/5/items/all`, {})).json()).toEqual({ all: '5' });
    for (const wrong of [`${webhookId}/orders/5/items`, `${webhookId}/orders/5/items/6/7`, `orders/5/items/6`])
      expect((await post(wrong, {})).status).toBe(404);
  });

  test('of no active workflow is not found', async () => {
    const path = aPath();
    expect([(await fleet.call(path)).status, await codeOf(await fleet.call(path))]).toEqual([404, 'NOT_FOUND']);
    expect((await fetch(`${fleet.api.url}/webhook`)).status).toBe(404);
    expect((await fetch(`${fleet.api.url}/webhook/`)).status).toBe(404);
  });

  test('works at every replica as soon as the activation is answered, and no more once the deactivation is', async () => {
    for (let round = 0; round < 10; round++) {
      const path = aPath();
      const id = await fleet.activate({ path });
      const urls = [fleet.api.url, fleet.otherUrl].map((url) => `${url}/webhook/${path}`);
      expect(await Promise.all(urls.map(async (url) => (await fetch(url)).status))).toEqual([200, 200]);
      await fleet.api.call('POST', `/workflows/${id}/deactivate`);
      expect(await Promise.all(urls.map(async (url) => (await fetch(url)).status))).toEqual([404, 404]);
    }
  });

  test('works at a replica that has just been started', async () => {
    const path = aPath();
    await fleet.activate({ path });
    const replica = await fleet.startReplica();
    expect((await fetch(`http://127.0.0.1:${replica.port}/webhook/${path}`)).status).toBe(200);
    await replica.stop();
  });

  test('that another workflow has cannot be taken: the answer names workflow and node, and the first one still answers', async () => {
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

  test('of a workflow that was deleted is free again', async () => {
    const path = aPath();
    await fleet.api.call('DELETE', `/workflows/${await fleet.activate({ path })}`);
    await fleet.activate({ path });
    expect((await fleet.call(path)).status).toBe(200);
  });

  test('runs the active version, whatever has been saved since', async () => {
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

describe('an answer at once', () => {
  test('names the execution, which runs', async () => {
    const path = aPath();
    const id = await fleet.activate({ path }, [aSet('Set', '={{ { done: true } }}')]);
    const { message, executionId } = (await (await fleet.call(path)).json()) as Record<string, string>;
    expect(message).toBe('Workflow was started');
    await eventually(async () => (await fleet.api.call('GET', `/executions/${executionId}`)).body.status === 'success');
    const { body } = await fleet.api.call('GET', `/executions/${executionId}?includeData=true`);
    expect(body).toMatchObject({ mode: 'webhook', workflowId: id });
  });

  test.each<[JsonObject, number, string]>([
    [{ responseData: 'OK' }, 200, 'OK'],
    [{ noResponseBody: true, responseCode: { values: { responseCode: 204 } } }, 204, ''],
    [{ responseCode: { values: { responseCode: 'customCode', customCode: 299 } }, responseData: 'x' }, 299, 'x'],
  ])('with %j has status %d and body %j', async (options, status, body) => {
    const path = aPath();
    await fleet.activate({ path, options });
    const response = await fleet.call(path);
    expect([response.status, await response.text()]).toEqual([status, body]);
  });

  test('of calls with one Idempotency-Key is the same: they start one execution', async () => {
    const path = aPath();
    const id = await fleet.activate({ path, httpMethod: 'POST' });
    const calls = Array.from({ length: 20 }, (_, i) =>
      fetch(`${i % 2 ? fleet.api.url : fleet.otherUrl}/webhook/${path}`, {
        method: 'POST',
        headers: { 'idempotency-key': 'k' },
      }),
    );
    const answers = await Promise.all((await Promise.all(calls)).map((response) => response.json()));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    const { body } = await fleet.api.call('GET', `/executions?workflowId=${id}`);
    expect((body.data ?? body.results ?? body).length).toBe(1);
    expect(((await (await post(path, {}, { 'idempotency-key': 'other' })).json()) as JsonObject)['executionId']).not.toBe(
      (answers[0] as JsonObject)['executionId'],
    );
  });
});

describe('an answer of the last node', () => {
  const twoItems = aCode('Code', 'return [{ json: { a: { b: "<i>" } } }, { json: { a: 2 } }]');

  test.each<[JsonObject, string, string]>([
    [{}, 'application/json; charset=utf-8', '{"a":{"b":"<i>"}}'],
    [{ responseData: 'allEntries' }, 'application/json; charset=utf-8', '[{"a":{"b":"<i>"}},{"a":2}]'],
    [{ options: { responsePropertyName: 'a' } }, 'application/json; charset=utf-8', '{"b":"<i>"}'],
    [{ options: { responsePropertyName: 'a.b', responseContentType: 'text/html' } }, 'text/html', '<i>'],
  ])('with %j is %s %s', async (parameters, type, text) => {
    const path = aPath();
    await fleet.activate({ path, responseMode: 'lastNode', ...parameters }, [twoItems]);
    const response = await fleet.call(path);
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([200, type, text]);
    expect(response.headers.get('content-security-policy')).toMatch(/^sandbox (?!.*allow-same-origin)/);
  });

  test('may be nothing, or a file', async () => {
    const [none, file] = [aPath(), aPath()];
    await fleet.activate({ path: none, responseMode: 'lastNode', responseData: 'noData' }, [twoItems]);
    expect(await (await fleet.call(none)).text()).toBe('');
    await fleet.activate({ path: file, httpMethod: 'POST', responseMode: 'lastNode', responseData: 'firstEntryBinary' });
    const body = new Uint8Array(3_000).fill(7);
    const response = await fleet.call(file, { method: 'POST', body, headers: { 'content-type': 'image/png' } });
    expect([response.headers.get('content-type'), response.headers.get('content-length')]).toEqual(['image/png', '3000']);
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(body);
  });

  test.each([
    ['no items', [aCode('Code', 'return []')], {}],
    ['no such field', [twoItems], { options: { responsePropertyName: 'x.y' } }],
    ['no file', [twoItems], { responseData: 'firstEntryBinary' }],
  ])('that has %s is an error which names the execution', async (_, nodes, parameters) => {
    const path = aPath();
    await fleet.activate({ path, responseMode: 'lastNode', ...parameters }, nodes);
    const response = await fleet.call(path);
    expect([response.status, await response.json()]).toEqual([
      500,
      expect.objectContaining({ code: 'NO_ANSWER', executionId: expect.stringMatching(/^\d+$/) }),
    ]);
  });

  test('that failed says nothing of how', async () => {
    const path = aPath();
    await fleet.activate({ path, responseMode: 'lastNode' }, [aCode('Code', 'throw new Error("a secret of ours")')]);
    const response = await fleet.call(path);
    const text = await response.text();
    expect([response.status, text]).toEqual([500, expect.stringContaining('EXECUTION_FAILED')]);
    expect(text).not.toContain('secret');
  });

  test('that does not come in time is a 504 that names the execution, which goes on', async () => {
    const path = aPath();
    const wait = aNode({ name: 'Wait', type: 'base.wait', typeVersion: 1.1, parameters: { amount: 2.5 } });
    await fleet.activate({ path, responseMode: 'lastNode' }, [wait]);
    const response = await fleet.call(path);
    const { code, executionId } = (await response.json()) as { code: string; executionId: string };
    expect([response.status, code]).toEqual([504, 'ANSWER_TIMEOUT']);
    await eventually(async () => (await fleet.api.call('GET', `/executions/${executionId}`)).body.status === 'success');
  });

  test('of a repeated call with its key is that of the first', async () => {
    const path = aPath();
    await fleet.activate({ path, httpMethod: 'POST', responseMode: 'lastNode' });
    const first = await (await post(path, { n: 1 }, { 'idempotency-key': 'k' })).json();
    expect(await (await post(path, { n: 2 }, { 'idempotency-key': 'k' })).json()).toEqual(first);
  });
});

describe('an answer by a node', () => {
  const after = aSet('After', '={{ { late: true } }}');

  test.each<[JsonObject, number, string, string]>([
    [{}, 200, 'application/json; charset=utf-8', '{"n":1}'],
    [{ respondWith: 'text', responseBody: '=<b>{{ $json.n }}</b>' }, 200, 'text/html; charset=utf-8', '<b>1</b>'],
    [
      { respondWith: 'json', responseBody: '={{ { twice: $json.n * 2 } }}', options: { responseCode: 201 } },
      201,
      'application/json; charset=utf-8',
      '{"twice":2}',
    ],
  ])('with %j is sent while the workflow goes on', async (parameters, status, type, text) => {
    const path = aPath();
    const slow = aNode({ name: 'Wait', type: 'base.wait', typeVersion: 1.1, parameters: { amount: 1 } });
    await fleet.activate({ path, responseMode: 'responseNode' }, [
      aSet('Set', '={{ { n: 1 } }}'),
      aRespond(parameters),
      slow,
      after,
    ]);
    const began = performance.now();
    const response = await fleet.call(path);
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([status, type, text]);
    expect(performance.now() - began).toBeLessThan(900);
  });

  test('may be a redirect, nothing, or a file', async () => {
    const [redirect, nothing, file] = [aPath(), aPath(), aPath()];
    const mode = { responseMode: 'responseNode' };
    await fleet.activate({ path: redirect, ...mode }, [
      aRespond({ respondWith: 'redirect', redirectURL: 'https://example.com/x' }),
    ]);
    const moved = await fleet.call(redirect, { redirect: 'manual' });
    expect([moved.status, moved.headers.get('location')]).toEqual([307, 'https://example.com/x']);
    await fleet.activate({ path: nothing, ...mode }, [aRespond({ respondWith: 'noData', options: { responseCode: 204 } })]);
    expect((await fleet.call(nothing)).status).toBe(204);
    await fleet.activate({ path: file, httpMethod: 'POST', ...mode }, [aRespond({ respondWith: 'binary' })]);
    const response = await fleet.call(file, { method: 'POST', body: 'abc', headers: { 'content-type': 'image/gif' } });
    expect([response.headers.get('content-type'), await response.text()]).toEqual(['image/gif', 'abc']);
  });

  test('has headers of the workflow, but for those that are the server’s', async () => {
    const entries = [
      { name: 'X-Own', value: 'yes' },
      { name: 'Content-Length', value: '1' },
      { name: 'Transfer-Encoding', value: 'chunked' },
      { name: 'Connection', value: 'upgrade' },
      { name: 'Content-Security-Policy', value: 'default-src *' },
    ];
    const path = aPath();
    await fleet.activate({ path, responseMode: 'responseNode' }, [
      aRespond({ respondWith: 'text', responseBody: '<script>1</script>', options: { responseHeaders: { entries } } }),
    ]);
    const response = await fleet.call(path);
    expect(await response.text()).toBe('<script>1</script>');
    expect(response.headers.get('x-own')).toBe('yes');
    expect(response.headers.get('content-security-policy')).toMatch(/^sandbox /);
    expect(response.headers.get('content-length')).toBe('18');
  });

  test('that never comes is a message when the workflow ends well, and an error when it fails', async () => {
    const [well, failing] = [aPath(), aPath()];
    await fleet.activate({ path: well, responseMode: 'responseNode' }, [after]);
    expect(await (await fleet.call(well)).json()).toMatchObject({ message: 'Workflow executed successfully' });
    await fleet.activate({ path: failing, responseMode: 'responseNode' }, [aCode('Code', 'throw new Error("x")')]);
    expect((await fleet.call(failing)).status).toBe(500);
  });

  test('counts although the workflow fails after it, and only the first one does', async () => {
    const path = aPath();
    const again = { ...aRespond({ respondWith: 'text', responseBody: 'second' }), name: 'Again' };
    const fail = aCode('Code', 'throw new Error("x")');
    await fleet.activate({ path, responseMode: 'responseNode' }, [
      aRespond({ respondWith: 'text', responseBody: 'first' }),
      again,
      fail,
    ]);
    expect(await (await fleet.call(path)).text()).toBe('first');
  });

  test('of a call whose caller has gone is given to nobody, and the workflow goes on', async () => {
    const path = aPath();
    const wait = aNode({ name: 'Wait', type: 'base.wait', typeVersion: 1.1, parameters: { amount: 0.5 } });
    const id = await fleet.activate({ path, responseMode: 'responseNode' }, [wait, aRespond({})]);
    await expect(fleet.call(path, { signal: AbortSignal.timeout(200) })).rejects.toThrow();
    await eventually(async () => {
      const rows = await fleet.api.db.kysely.selectFrom('executions').select('status').where('workflow_id', '=', id).execute();
      return rows.length === 1 && rows[0]?.status === 'success';
    });
  });
});

describe('pages of other origins', () => {
  const origin = 'https://app.example';
  const preflight = (path: string, from = origin) =>
    fleet.call(path, {
      method: 'OPTIONS',
      headers: { origin: from, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type,x-a' },
    });

  test('may read every answer, unless the node names some', async () => {
    const [open, closed] = [aPath(), aPath()];
    await fleet.activate({ path: open, httpMethod: 'POST' });
    await fleet.activate({ path: closed, httpMethod: 'POST', options: { allowedOrigins: origin } });
    const allowed = async (response: Response) => response.headers.get('access-control-allow-origin');
    expect(await allowed(await post(open, {}, { origin }))).toBe('*');
    expect(await allowed(await post(closed, {}, { origin }))).toBe(origin);
    expect(await allowed(await post(closed, {}, { origin: 'https://evil.example' }))).toBeNull();
    const answer = await preflight(closed);
    expect([answer.status, await allowed(answer), answer.headers.get('access-control-allow-methods')]).toEqual([
      204,
      origin,
      'POST',
    ]);
    expect(answer.headers.get('access-control-allow-headers')).toBe('content-type,x-a');
    expect(await allowed(await preflight(closed, 'https://evil.example'))).toBeNull();
  });

  test('are told the methods by a plain OPTIONS, which starts nothing', async () => {
    const path = aPath();
    await fleet.activate({ path, multipleMethods: true, httpMethod: ['GET', 'POST'] });
    const response = await fleet.call(path, { method: 'OPTIONS' });
    expect([response.status, response.headers.get('allow')]).toEqual([204, 'GET, POST']);
    expect((await preflight(aPath())).status).toBe(404);
  });
});

test('a HEAD is a GET without a body', async () => {
  const path = aPath();
  await fleet.activate({ path, responseMode: 'lastNode' }, [aSet('Set', '={{ { a: 1 } }}')]);
  const response = await fleet.call(path, { method: 'HEAD' });
  expect([response.status, response.headers.get('content-length'), await response.text()]).toEqual([200, '7', '']);
});

test('a project whose queue is full starts nothing more: the caller is told when to come again', async () => {
  const api = await startTestApi({ QUEUED_MAX_PER_PROJECT: '3' });
  const node = aNode({ name: 'Webhook', type: 'base.webhook', parameters: { path: 'full' } });
  const { body } = await api.call('POST', '/workflows', { body: { name: 'w', nodes: [node], connections: {}, settings: {} } });
  await api.call('POST', `/workflows/${body.id}/activate`);
  const statuses: number[] = [];
  for (let i = 0; i < 3; i++) statuses.push((await fetch(`${api.url}/webhook/full`)).status);
  const refused = await fetch(`${api.url}/webhook/full`);
  expect([...statuses, refused.status, await codeOf(refused)]).toEqual([200, 200, 200, 429, 'QUEUE_FULL']);
  expect(refused.headers.get('retry-after')).toBe('2');
  await api.close();
});

test('a replica that stops lets its callers go, and names what goes on without them', async () => {
  const path = aPath();
  const wait = aNode({ name: 'Wait', type: 'base.wait', typeVersion: 1.1, parameters: { amount: 1 } });
  const id = await fleet.activate({ path, responseMode: 'lastNode' }, [wait]);
  const replica = await fleet.startReplica();
  const call = fetch(`http://127.0.0.1:${replica.port}/webhook/${path}`);
  const statuses = () => fleet.api.db.kysely.selectFrom('executions').select('status').where('workflow_id', '=', id).execute();
  await eventually(async () => (await statuses())[0]?.status === 'running');
  await replica.stop();
  const response = await call;
  expect([response.status, await response.json()]).toEqual([
    503,
    expect.objectContaining({ code: 'SERVICE_UNAVAILABLE', executionId: expect.any(String) }),
  ]);
  await eventually(async () => (await statuses())[0]?.status === 'success');
});
