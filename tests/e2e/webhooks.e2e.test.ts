import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import type { JsonObject, WorkflowNode } from '@sluice/domain';
import { aChain, aNode, eventually } from '@sluice/test-support';
import { type Settings, startApi, startService, startWorker } from './harness.ts';
import { stopIn } from './support/cleanup.ts';
import { LoopbackServer } from './support/loopback-server.ts';
import { createWorkflow, expectStatus, untilStatus } from './support/runs.ts';
import { aCall, aSet } from './support/workflows.ts';

const stopAfterAll = stopIn(afterAll);
const stopAfterEach = stopIn(afterEach);

const server = stopAfterAll(await LoopbackServer.start());
/** Starts no worker: each test starts its own. */
const service = stopAfterAll(await startService({ settings: { WORKERS: '0' } }));
const urls = (): Settings => ({ DATABASE_URL: service.databaseUrl, REDIS_URL: service.redisUrl, SSRF_ALLOW: '127.0.0.1' });
const replica = stopAfterAll(await startApi(urls()));

const startOwnWorker = async (more: Settings = {}) =>
  stopAfterEach(await startWorker({ ...urls(), LEASE_MS: '3000', ...more }));

async function activate(parameters: JsonObject, nodes: WorkflowNode[]): Promise<string> {
  const webhook = aNode({ name: 'Webhook', type: 'base.webhook', typeVersion: 2.1, parameters });
  const id = await createWorkflow(service, aChain([webhook, ...nodes]));
  expectStatus(await service.call('POST', `/workflows/${id}/activate`), 200);
  return id;
}

const at = (url: string, path: string) => `${url}/webhook/${path}`;
const json = async (response: Response) =>
  (await response.json()) as { code: string; executionId: string; [name: string]: unknown };

test('a workflow that calls its own webhook ends even on a worker with one slot', async () => {
  await startOwnWorker({ CONCURRENCY: '1' });
  const url = at(service.url, 'again');
  const self = aNode({
    name: 'Call',
    type: 'base.http-request',
    typeVersion: 4.2,
    parameters: { url: `=${url}?n={{ Number($json.query.n) + 1 }}` },
  });
  const isEnough = { conditions: { number: [{ value1: '={{ Number($json.query.n) }}', operation: 'smaller', value2: 3 }] } };
  const id = await activate({ path: 'again' }, [
    aNode({ name: 'If', type: 'base.if', typeVersion: 1, parameters: isEnough }),
    self,
  ]);
  expect((await fetch(`${url}?n=0`)).status).toBe(200);
  await eventually(async () => {
    const { body } = await service.call('GET', `/executions?workflowId=${id}&status=success`);
    return [body].flat().length === 4 || body.data?.length === 4 || body.results?.length === 4;
  });
});

test('a request whose worker is killed gets an error that names the execution', async () => {
  const worker = await startOwnWorker();
  server.hold('/held');
  await activate({ path: 'held', responseMode: 'lastNode' }, [aCall('held', `${server.url}/held`)]);
  const request = fetch(at(replica.url, 'held'));
  await eventually(() => server.waiting('/held') === 1);
  await worker.kill();
  await startOwnWorker();
  const response = await request;
  const { code, executionId } = await json(response);
  expect([response.status, code]).toEqual([500, 'EXECUTION_FAILED']);
  await untilStatus(service, executionId, 'crashed');
  server.respond('/held');
});

describe('while workers are killed every few seconds', () => {
  test('each request to one of two replicas starts one execution, which ends', async () => {
    await activate({ path: 'steady', responseMode: 'onReceived' }, [aSet('Set', '={{ { done: true } }}')]);
    const started: string[] = [];
    let over = false;
    const caller = async (url: string) => {
      while (!over) {
        const response = await fetch(at(url, 'steady'));
        if (response.status === 200) started.push((await json(response)).executionId);
        await delay(20);
      }
    };
    const callers = [service.url, replica.url].map(caller);
    let workers = await Promise.all([startOwnWorker(), startOwnWorker(), startOwnWorker()]);
    for (let round = 0; round < 2; round++) {
      const [victim, ...others] = workers;
      victim?.signal('SIGKILL');
      workers = [...others, await startOwnWorker()];
    }
    over = true;
    await Promise.all(callers);
    expect(started.length).toBeGreaterThan(50);
    expect(new Set(started).size).toBe(started.length);
    for (const id of [started[0], started.at(-1)]) {
      await eventually(async () =>
        ['success', 'crashed'].includes((await service.call('GET', `/executions/${id}`)).body.status),
      );
    }
  });
});

test('a route exists at every replica as soon as its activation responds, and at a restarted replica', async () => {
  const victim = stopAfterEach(await startApi(urls()));
  const options = { responseData: 'here' };
  const statuses = (path: string, ...processes: { url: string }[]) =>
    Promise.all(processes.map(async ({ url }) => (await fetch(at(url, path))).status));
  for (let round = 0; round < 5; round++) {
    await activate({ path: `at-once-${round}`, options }, []);
    expect(await statuses(`at-once-${round}`, service, replica, victim)).toEqual([200, 200, 200]);
  }
  await victim.kill();
  await activate({ path: 'while-down', options }, []);
  const back = stopAfterEach(await startApi(urls()));
  for (const path of ['at-once-0', 'while-down']) expect(await statuses(path, service, replica, back)).toEqual([200, 200, 200]);
});

describe('a streamed response', () => {
  const say = (name: string, responseBody: string): WorkflowNode =>
    aNode({
      name,
      type: 'base.respond-to-webhook',
      typeVersion: 1.5,
      parameters: { respondWith: 'text', responseBody },
    });

  async function* linesOf(response: Response): AsyncGenerator<JsonObject> {
    let text = '';
    for await (const bytes of response.body ?? []) {
      text += Buffer.from(bytes).toString();
      for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
        yield JSON.parse(text.slice(0, end)) as JsonObject;
        text = text.slice(end + 1);
      }
    }
  }

  test('reaches the replica that received the request while the execution continues', async () => {
    await startOwnWorker();
    server.hold('/between');
    const nodes = [say('First', 'one'), aCall('between', `${server.url}/between`), say('Second', 'two')];
    await activate({ path: 'stream', responseMode: 'streaming' }, nodes);
    const responses = await Promise.all([service, replica].map(({ url }) => fetch(at(url, 'stream'))));
    await eventually(() => server.waiting('/between') === 2);
    const streams = responses.map(linesOf);
    const nothing = [undefined, undefined];
    const contents = () => Promise.all(streams.map(async (lines) => (await lines.next()).value?.['content']));
    expect([await contents(), await contents(), await contents()]).toEqual([nothing, ['one', 'one'], nothing]);
    server.respond('/between');
    expect([await contents(), await contents()]).toEqual([nothing, ['two', 'two']]);
  });

  test('ends with an error if its worker is killed', async () => {
    const worker = await startOwnWorker();
    server.hold('/lost');
    await activate({ path: 'lost', responseMode: 'streaming' }, [say('First', 'one'), aCall('lost', `${server.url}/lost`)]);
    const response = await fetch(at(replica.url, 'lost'));
    await eventually(() => server.waiting('/lost') === 1);
    await worker.kill();
    await startOwnWorker();
    const lines: JsonObject[] = [];
    for await (const line of linesOf(response)) lines.push(line);
    expect(lines.map(({ type }) => type)).toEqual(['begin', 'item', 'end', 'error']);
    const { code, executionId } = (lines.at(-1)?.['metadata'] ?? {}) as { code?: string; executionId?: string };
    expect(code).toBe('EXECUTION_FAILED');
    await untilStatus(service, executionId ?? '', 'crashed');
    server.respond('/lost');
  });
});

test('a test URL that one replica opened accepts one request at another', async () => {
  await startOwnWorker();
  const webhook = aNode({
    name: 'Webhook',
    type: 'base.webhook',
    typeVersion: 2.1,
    parameters: { path: 'tried', responseMode: 'lastNode' },
  });
  const id = await createWorkflow(service, aChain([webhook, aSet('Set', '={{ { tried: true } }}')]));
  expectStatus(await service.call('POST', `/workflows/${id}/test-urls`), 200);
  const url = `${replica.url}/webhook-test/tried`;
  expect(await (await fetch(url)).json()).toEqual({ tried: true });
  expect((await fetch(url)).status).toBe(404);
  const { body } = await service.call('GET', `/workflows/${id}/test-urls`);
  await untilStatus(service, body.executionId, 'success');
});

test('a replica that starts later serves the existing routes', async () => {
  await activate({ path: 'kept', options: { responseData: 'here' } }, []);
  const third = stopAfterEach(await startApi(urls()));
  for (const { url } of [service, replica, third]) expect(await (await fetch(at(url, 'kept'))).text()).toBe('here');
});
