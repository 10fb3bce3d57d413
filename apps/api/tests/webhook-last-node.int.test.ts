import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/domain';
import { aNode, eventually } from '@sluice/test-support';
import { aCode, aPath, startWebhookFleet } from './support/webhook-fleet.ts';

const fleet = await startWebhookFleet();
afterAll(() => fleet.close());

describe('a response of the last node', () => {
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

  test('can be empty or a file', async () => {
    const [none, file] = [aPath(), aPath()];
    await fleet.activate({ path: none, responseMode: 'lastNode', responseData: 'noData' }, [twoItems]);
    expect(await (await fleet.call(none)).text()).toBe('');
    await fleet.activate({ path: file, httpMethod: 'POST', responseMode: 'lastNode', responseData: 'firstEntryBinary' });
    const body = new Uint8Array(3_000).fill(7);
    const response = await fleet.call(file, { method: 'POST', body, headers: { 'content-type': 'image/png' } });
    expect([response.headers.get('content-type'), response.headers.get('content-length')]).toEqual(['image/png', '3000']);
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(body);
  });

  test('is the item of the request if no node follows the webhook, for each of several methods', async () => {
    const path = aPath();
    await fleet.activate({ path, multipleMethods: true, httpMethod: ['GET', 'POST'], responseMode: 'lastNode' });
    for (const method of ['GET', 'POST']) {
      const response = await fleet.call(`${path}?by=${method}`, { method });
      expect([method, response.status, await response.json()]).toEqual([
        method,
        200,
        expect.objectContaining({ query: { by: method } }),
      ]);
    }
  });

  test.each<[JsonObject]>([[{}], [{ responseData: 'firstEntryBinary' }]])(
    'of status 205 has no body: %j',
    async (parameters) => {
      const path = aPath();
      const more = {
        httpMethod: 'POST',
        responseMode: 'lastNode',
        options: { responseCode: { values: { responseCode: 205 } } },
      };
      await fleet.activate({ path, ...more, ...parameters });
      const { port } = new URL(fleet.api.url);
      const headers = { 'content-type': 'image/png', 'content-length': '3' };
      // Node's `fetch` fails for a 205 that has a body.
      const outgoing = request({ port, path: `/webhook/${path}`, method: 'POST', headers }).end('abc');
      const [received] = (await once(outgoing, 'response')) as [IncomingMessage];
      expect([received.statusCode, received.headers['content-length'], await text(received)]).toEqual([205, '0', '']);
    },
  );

  const matchesNothing = aNode({
    name: 'Filter',
    type: 'base.filter',
    typeVersion: 2.2,
    parameters: {
      conditions: {
        options: {},
        combinator: 'and',
        conditions: [{ leftValue: 1, rightValue: 2, operator: { type: 'number', operation: 'gt' } }],
      },
    },
  });

  test('contains no discarded items if all items were discarded', async () => {
    const path = aPath();
    await fleet.activate({ path, responseMode: 'lastNode', responseData: 'allEntries' }, [
      matchesNothing,
      aCode('Code', 'return $input.all()'),
    ]);
    const response = await fleet.call(path);
    expect([response.status, await response.json()]).toEqual([200, []]);
  });

  test('with an invalid content type prevents the activation', async () => {
    const parameters = { path: aPath(), responseMode: 'lastNode', options: { responseContentType: 'text/html\r\nX: y' } };
    await expect(fleet.activate(parameters, [twoItems])).rejects.toThrow(/VALIDATION_ERROR.*responseContentType/s);
  });

  test.each([
    ['no items', [aCode('Code', 'return []')], {}],
    ['discarded items', [matchesNothing, twoItems], {}],
    ['no such field', [twoItems], { options: { responsePropertyName: 'x.y' } }],
    ['no file', [twoItems], { responseData: 'firstEntryBinary' }],
  ])('with %s is an error that names the execution', async (_, nodes, parameters) => {
    const path = aPath();
    await fleet.activate({ path, responseMode: 'lastNode', ...parameters }, nodes);
    const response = await fleet.call(path);
    expect([response.status, await response.json()]).toEqual([
      500,
      expect.objectContaining({ code: 'NO_ANSWER', executionId: expect.stringMatching(/^\d+$/) }),
    ]);
  });

  test('hides the cause of a failure', async () => {
    const path = aPath();
    await fleet.activate({ path, responseMode: 'lastNode' }, [aCode('Code', 'throw new Error("a secret of ours")')]);
    const response = await fleet.call(path);
    const text = await response.text();
    expect([response.status, text]).toEqual([500, expect.stringContaining('EXECUTION_FAILED')]);
    expect(text).not.toContain('secret');
  });

  test('is a 429 if the limit of the workflow skips the execution', async () => {
    const path = aPath();
    const wait = aCode('Code', 'await new Promise((resolve) => setTimeout(resolve, 3000)); return items');
    const id = await fleet.activate({ path, responseMode: 'lastNode' }, [wait]);
    const { status } = await fleet.api.call('PATCH', `/workflows/${id}`, {
      body: { settings: { concurrency: { limit: 1, whenFull: 'skip' } } },
    });
    expect(status).toBe(200);
    const first = fleet.call(path);
    await eventually(async () => {
      const { body } = await fleet.api.call('GET', `/executions?workflowId=${id}&status=running`);
      expect(body.data).toHaveLength(1);
    });
    const skipped = await fleet.call(path);
    expect([skipped.status, skipped.headers.get('retry-after'), await skipped.json()]).toEqual([
      429,
      expect.any(String),
      expect.objectContaining({ code: 'CONCURRENCY_LIMIT', executionId: expect.stringMatching(/^\d+$/) }),
    ]);
    expect((await first).status).toBe(200);
  });

  test('is a 504 that names the execution, which continues, after the timeout', async () => {
    const path = aPath();
    const wait = aNode({ name: 'Wait', type: 'base.wait', typeVersion: 1.1, parameters: { amount: 2.5 } });
    await fleet.activate({ path, responseMode: 'lastNode' }, [wait]);
    const replica = await fleet.startReplica({ WEBHOOK_WAIT_MS: '1500' });
    const response = await fetch(`http://127.0.0.1:${replica.port}/webhook/${path}`);
    await replica.stop();
    const { code, executionId } = (await response.json()) as { code: string; executionId: string };
    expect([response.status, code]).toEqual([504, 'ANSWER_TIMEOUT']);
    await eventually(async () => (await fleet.api.call('GET', `/executions/${executionId}`)).body.status === 'success');
  });

  test('to a request that is repeated with its key is the response to the first request', async () => {
    const path = aPath();
    await fleet.activate({ path, httpMethod: 'POST', responseMode: 'lastNode' });
    const first = await (await fleet.post(path, { n: 1 }, { 'idempotency-key': 'k' })).json();
    expect(await (await fleet.post(path, { n: 2 }, { 'idempotency-key': 'k' })).json()).toEqual(first);
  });
});

test('a replica that stops completes its requests with the IDs of the executions, which continue', async () => {
  const path = aPath();
  const wait = aNode({ name: 'Wait', type: 'base.wait', typeVersion: 1.1, parameters: { amount: 1 } });
  const id = await fleet.activate({ path, responseMode: 'lastNode' }, [wait]);
  const replica = await fleet.startReplica();
  const pending = fetch(`http://127.0.0.1:${replica.port}/webhook/${path}`);
  const statuses = () => fleet.api.db.kysely.selectFrom('executions').select('status').where('workflow_id', '=', id).execute();
  await eventually(async () => (await statuses())[0]?.status === 'running');
  await replica.stop();
  const response = await pending;
  expect([response.status, await response.json()]).toEqual([
    503,
    expect.objectContaining({ code: 'SERVICE_UNAVAILABLE', executionId: expect.any(String) }),
  ]);
  await eventually(async () => (await statuses())[0]?.status === 'success');
});
