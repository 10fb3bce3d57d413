import { afterAll, describe, expect, test } from '@jest/globals';
import type { JsonObject, ResponseChunk, WorkflowNode } from '@sluice/domain';
import { aChain, aNode, eventually, testRedisUrl } from '@sluice/test-support';
import { type OutageProxy, proxyRedis } from './support/outage-proxy.ts';
import { aCode, aPath, aRespond, aSet, startWebhookFleet } from './support/webhook-fleet.ts';

const fleet = await startWebhookFleet();
afterAll(() => fleet.close());

type Line = ResponseChunk & { metadata: { executionId?: string; code?: string } };

/** A webhook with a streaming response. */
async function aStream(nodes: WorkflowNode[], more: JsonObject = {}): Promise<string> {
  const path = aPath();
  await fleet.activate({ path, responseMode: 'streaming', ...more }, nodes);
  return path;
}

const aChunk = (name: string, parameters: JsonObject) => ({ ...aRespond(parameters, 1.5), name });
const say = (name: string, responseBody: string) => aChunk(name, { respondWith: 'text', responseBody });
const aWait = (amount: number) => aNode({ name: 'Wait', type: 'base.wait', typeVersion: 1.1, parameters: { amount } });
const fail = aCode('Code', 'throw new Error("a secret of ours")');

/** Yields the lines of a response as they arrive. */
async function* linesOf(response: Response): AsyncGenerator<Line> {
  let text = '';
  for await (const bytes of response.body ?? []) {
    text += Buffer.from(bytes).toString();
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
      yield JSON.parse(text.slice(0, end)) as Line;
      text = text.slice(end + 1);
    }
  }
}

async function allLines(response: Response): Promise<Line[]> {
  const lines: Line[] = [];
  for await (const line of linesOf(response)) lines.push(line);
  return lines;
}

const summary = (lines: Line[]) => lines.map(({ type, content }) => (content === undefined ? type : [type, content]));

test('chunks of nodes arrive immediately, as one line of JSON each, while the workflow continues', async () => {
  const path = aPath();
  const options = { responseHeaders: { entries: [{ name: 'X-Own', value: 'yes' }] } };
  const id = await fleet.activate({ path, responseMode: 'streaming', options }, [
    aSet('Set', '={{ { n: 1 } }}'),
    aChunk('First', {}),
    aWait(1),
    say('Second', 'two'),
    aSet('After', '={{ {} }}'),
  ]);
  const response = await fetch(`${fleet.otherUrl}/webhook/${path}`);
  const { headers } = response;
  expect([response.status, headers.get('content-type'), headers.get('x-own')]).toEqual([
    200,
    'application/json; charset=utf-8',
    'yes',
  ]);
  expect(headers.get('content-security-policy')).toMatch(/^sandbox (?!.*allow-same-origin)/);
  const lines: Line[] = [];
  for await (const line of linesOf(response)) {
    lines.push(line);
    if (lines.length === 3) expect(await fleet.statusesOf(id)).not.toEqual(['success']);
  }
  expect(summary(lines)).toEqual(['begin', ['item', { n: 1 }], 'end', 'begin', ['item', 'two'], 'end']);
  expect(lines[1]?.metadata).toEqual({
    nodeId: expect.any(String),
    nodeName: 'First',
    itemIndex: 0,
    runIndex: 0,
    timestamp: expect.any(Number),
  });
});

test('each item is a separate chunk, unless the node puts all items into one field', async () => {
  const items = aCode('Code', 'return [{ json: { a: 1 } }, { json: { a: 2 } }]');
  const all = { respondWith: 'allIncomingItems' };
  const apart = await allLines(await fleet.call(await aStream([items, aChunk('Respond', all)])));
  expect(summary(apart)).toEqual(['begin', ['item', { a: 1 }], ['item', { a: 2 }], 'end']);
  expect(apart.map(({ metadata }) => metadata.itemIndex)).toEqual([0, 0, 1, 0]);
  const options = { responseKey: 'list' };
  const together = await allLines(await fleet.call(await aStream([items, aChunk('Respond', { ...all, options })])));
  expect(summary(together)).toEqual(['begin', ['item', { list: [{ a: 1 }, { a: 2 }] }], 'end']);
});

test('a node that does not stream sends one complete response', async () => {
  const path = await aStream([
    aChunk('Respond', { respondWith: 'text', responseBody: 'whole', options: { enableStreaming: false, responseCode: 201 } }),
  ]);
  const response = await fleet.call(path);
  expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
    201,
    'text/html; charset=utf-8',
    'whole',
  ]);
});

test('a workflow that sends no chunk returns a message when it succeeds and an error when it fails', async () => {
  const well = await fleet.call(await aStream([aSet('Set', '={{ {} }}')]));
  expect(await well.json()).toMatchObject({ message: 'Workflow executed successfully', executionId: expect.any(String) });
  const failed = await fleet.call(await aStream([fail]));
  expect([failed.status, await failed.json()]).toEqual([500, expect.objectContaining({ code: 'EXECUTION_FAILED' })]);
});

test('a failure after the start is reported in the last line without its cause', async () => {
  const lines = await allLines(await fleet.call(await aStream([say('Respond', 'one'), fail])));
  expect(summary(lines)).toEqual(['begin', ['item', 'one'], 'end', ['error', 'the workflow has failed']]);
  expect(lines.at(-1)?.metadata).toEqual({
    executionId: expect.stringMatching(/^\d+$/),
    code: 'EXECUTION_FAILED',
    timestamp: expect.any(Number),
  });
});

test('the timeout ends the response, and the workflow continues', async () => {
  const replica = await fleet.startReplica({ WEBHOOK_WAIT_MS: '2000' });
  const send = (path: string) => fetch(`http://127.0.0.1:${replica.port}/webhook/${path}`);
  const lines = await allLines(await send(await aStream([say('Respond', 'one'), aWait(4)])));
  const { code, executionId } = lines.at(-1)?.metadata ?? {};
  expect([lines.at(-1)?.type, code]).toEqual(['error', 'ANSWER_TIMEOUT']);
  await eventually(async () => (await fleet.api.call('GET', `/executions/${executionId}`)).body.status === 'success');
  const nothing = await send(await aStream([aWait(3)]));
  expect([nothing.status, await nothing.json()]).toEqual([504, expect.objectContaining({ code: 'ANSWER_TIMEOUT' })]);
  await replica.stop();
});

test('a stop of the execution ends the response', async () => {
  const path = aPath();
  const id = await fleet.activate({ path, responseMode: 'streaming' }, [say('Respond', 'one'), aWait(60)]);
  const response = await fleet.call(path);
  const reading = allLines(response);
  const row = await fleet.api.db.kysely
    .selectFrom('executions')
    .select('id')
    .where('workflow_id', '=', id)
    .executeTakeFirstOrThrow();
  await fleet.api.call('POST', `/executions/${row.id}/stop`);
  expect((await reading).at(-1)).toMatchObject({ type: 'error', metadata: { code: 'EXECUTION_FAILED', executionId: row.id } });
});

test('a client that disconnects does not stop the workflow', async () => {
  const path = aPath();
  const id = await fleet.activate({ path, responseMode: 'streaming' }, [say('First', 'one'), aWait(0.5), say('Second', 'two')]);
  const disconnected = new AbortController();
  await fleet.call(path, { signal: disconnected.signal });
  disconnected.abort();
  await eventually(async () => (await fleet.statusesOf(id)).join() === 'success');
});

test('streaming works at a test URL, and a HEAD that the node accepts gets no body', async () => {
  const path = aPath();
  const webhook = aNode({
    name: 'Webhook',
    type: 'base.webhook',
    typeVersion: 2.1,
    parameters: { path, responseMode: 'streaming' },
  });
  const { body } = await fleet.api.call('POST', '/workflows', { body: aChain([webhook, say('Respond', 'one')]) });
  await fleet.api.call('POST', `/workflows/${body.id}/test-urls`);
  expect(summary(await allLines(await fetch(`${fleet.api.url}/webhook-test/${path}`)))).toEqual([
    'begin',
    ['item', 'one'],
    'end',
  ]);
  const head = await fleet.call(await aStream([say('Respond', 'one')], { httpMethod: 'HEAD' }), { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
});

describe('while a replica is without Redis', () => {
  /**
   * Sends a request, disconnects Redis after the first chunk, and runs `meanwhile` once the second
   * is sent.
   */
  async function linesOfOutage(nodes: WorkflowNode[], meanwhile: (proxy: OutageProxy) => void): Promise<[Line[], string[]]> {
    const { proxy, url } = await proxyRedis(testRedisUrl());
    const replica = await fleet.startReplica({ REDIS_URL: url });
    const path = aPath();
    const id = await fleet.activate({ path, responseMode: 'streaming' }, nodes);
    const isReady = async () => (await fetch(`http://127.0.0.1:${replica.port}/readyz`)).status === 200;
    await eventually(isReady);
    const lines: Line[] = [];
    for await (const line of linesOf(await fetch(`http://127.0.0.1:${replica.port}/webhook/${path}`))) {
      lines.push(line);
      if (lines.length !== 3) continue;
      proxy.set('refusing');
      await eventually(() => hasRun(id, 'Second'));
      meanwhile(proxy);
    }
    const statuses = await fleet.statusesOf(id);
    proxy.set('up');
    await eventually(isReady);
    await replica.stop();
    await proxy.close();
    return [lines, statuses];
  }

  const hasRun = async (workflowId: string, nodeName: string) =>
    (
      await fleet.api.db.kysely
        .selectFrom('node_runs as n')
        .innerJoin('executions as e', 'e.id', 'n.execution_id')
        .select('n.seq')
        .where('e.workflow_id', '=', workflowId)
        .where('n.node_name', '=', nodeName)
        .execute()
    ).length > 0;

  test('chunks are lost, the client learns how many, and the run continues', async () => {
    const again = [aWait(1.5), aWait(1.5)].map((wait, i) => ({ ...wait, name: `Again ${i}` }));
    const nodes = [say('First', 'one'), aWait(1), say('Second', 'two'), ...again, say('Third', 'three')];
    const [lines, statuses] = await linesOfOutage(nodes, (proxy) => proxy.set('up'));
    expect(summary(lines)).toEqual([
      'begin',
      ['item', 'one'],
      'end',
      ['error', '3 parts of the response are lost'],
      'begin',
      ['item', 'three'],
      'end',
    ]);
    expect([lines[3]?.metadata.code, statuses]).toEqual(['ANSWER_INCOMPLETE', ['success']]);
  });

  test('the end of the run is still detected', async () => {
    const [lines, statuses] = await linesOfOutage([say('First', 'one'), aWait(1), say('Second', 'two')], () => undefined);
    expect([summary(lines), statuses]).toEqual([['begin', ['item', 'one'], 'end'], ['success']]);
  });

  test('the client gets an error in time if the workflow sends no chunk', async () => {
    const { proxy, url } = await proxyRedis(testRedisUrl());
    const replica = await fleet.startReplica({ REDIS_URL: url, WEBHOOK_WAIT_MS: '600000' });
    await eventually(async () => (await fetch(`http://127.0.0.1:${replica.port}/readyz`)).status === 200);
    const path = await aStream([say('First', 'one')]);
    proxy.set('silent');
    const began = performance.now();
    const response = await fetch(`http://127.0.0.1:${replica.port}/webhook/${path}`);
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, expect.any(String)]);
    expect(performance.now() - began).toBeLessThan(30_000); // Redis still does not respond
    proxy.set('up');
    await replica.stop();
    await proxy.close();
  });
});
