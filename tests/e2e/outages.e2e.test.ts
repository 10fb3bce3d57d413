import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createLogger } from '@sluice/logger';
import { closeRedis, createRedis } from '@sluice/queue';
import { aChain, aNode, aSmallWorkflow, eventually } from '@sluice/test-support';
import { Cluster } from 'ioredis';
import pg from 'pg';
import { type ApiResponse, type RunningProcess, startApi, startWorker } from './harness.ts';
import { stopIn } from './support/cleanup.ts';
import { queryDatabase } from './support/database.ts';
import { LoopbackServer } from './support/loopback-server.ts';
import { type OwnServer, startOwnPostgres, startOwnRedis } from './support/own-servers.ts';
import { type Caller, callerOf, createWorkflow, run, startNew, startRun, untilStatus } from './support/runs.ts';
import { aCall, aSet, callsInARow, trigger } from './support/workflows.ts';

/**
 * Maximum response time while Postgres or Redis is unreachable. The contract says 3 s, enforced by
 * the timeouts of our connections; this allows for a busy machine. A request that waited for
 * Postgres or Redis would never end: the outage ends only after the responses.
 */
const respondsWithinMs = 15_000;
const leaseMs = 3_000;
const slots = 3;

const stopAfterAll = stopIn(afterAll);
let postgres: OwnServer;
let redis: OwnServer;
let server: LoopbackServer;
let api: RunningProcess & Caller;
let worker: RunningProcess;
let smallWorkflow: string;
let failed: string;

beforeAll(async () => {
  server = stopAfterAll(await LoopbackServer.start());
  postgres = stopAfterAll(await startOwnPostgres());
  redis = stopAfterAll(await startOwnRedis());
  const key = 'a-key-of-the-outage-tests';
  const urls = { DATABASE_URL: postgres.url, REDIS_URL: redis.url };
  const started = stopAfterAll(await startApi({ ...urls, BOOTSTRAP_API_KEY: key }));
  api = { ...started, ...callerOf(started, key) };
  worker = stopAfterAll(
    await startWorker({ ...urls, CONCURRENCY: String(slots), LEASE_MS: String(leaseMs), SSRF_ALLOW: '127.0.0.1' }),
  );
  smallWorkflow = await eventually(() => createWorkflow(api, aSmallWorkflow()));
  const broken = aChain([trigger, aNode({ name: 'Work', type: 'base.stop-and-error', parameters: { errorMessage: 'no' } })]);
  failed = (await run(api, await createWorkflow(api, broken))).executionId;
});

afterEach(async () => {
  server.respondToAll();
  await Promise.all([postgres.restore(), redis.restore()]);
  await untilReady();
});

interface TimedResponse extends Pick<ApiResponse, 'status' | 'body'> {
  path: string;
  retryAfter: string | null;
  /** Milliseconds. */
  tookMs: number;
}

type Route = [method: string, path: string, body?: unknown];

async function send(...[method, path, body]: Route): Promise<TimedResponse> {
  const before = performance.now();
  const response = await api.call(method, path, body);
  const tookMs = Math.round(performance.now() - before);
  return { path, status: response.status, body: response.body, retryAfter: response.headers.get('retry-after'), tookMs };
}

const startingRoutes = (): Route[] => [
  ['POST', `/workflows/${smallWorkflow}/run`, {}],
  ['POST', `/executions/${failed}/retry`, {}],
];

const otherRoutes = (): Route[] => [
  ['GET', '/workflows'],
  ['GET', `/workflows/${smallWorkflow}`],
  ['POST', '/workflows', aSmallWorkflow()],
  ['PATCH', `/workflows/${smallWorkflow}`, { name: 'another name' }],
  ['GET', '/executions'],
  ['GET', `/executions/${failed}?includeData=true`],
  ['POST', `/executions/${failed}/stop`],
  ['POST', '/executions/stopMany', { filter: { status: ['waiting'] } }],
  ['POST', '/executions/delete', { ids: [failed] }],
];

function expectRefused(responses: readonly TimedResponse[]): void {
  const late = responses.filter(({ tookMs }) => tookMs > respondsWithinMs);
  expect(late.map(({ path, tookMs }) => `${path} took ${tookMs} ms instead of at most ${respondsWithinMs}`)).toEqual([]);
  const refused = {
    status: 503,
    body: { message: expect.any(String), code: 'SERVICE_UNAVAILABLE', requestId: expect.any(String) },
  };
  expect(responses).toEqual(
    responses.map(({ path }) => ({ path, ...refused, retryAfter: expect.stringMatching(/^\d+$/), tookMs: expect.any(Number) })),
  );
}

/** Waits until a run succeeds without a restart. */
async function expectRecovered(): Promise<void> {
  await eventually(async () => (await run(api, smallWorkflow)).status === 'success');
  await untilReady();
}

async function untilReady(): Promise<void> {
  for (const { url } of [api, worker]) {
    await eventually(async () => (await fetch(`${url}/readyz`)).status === 200);
  }
}

async function untilNotReady(): Promise<void> {
  for (const { url } of [api, worker]) await eventually(async () => (await fetch(`${url}/readyz`)).status === 503);
  for (const { url } of [api, worker]) expect((await fetch(`${url}/healthz`)).status).toBe(200);
}

/** Starts a run that hangs in its only request. */
async function startHanging(path: string): Promise<string> {
  server.hold(path);
  const { executionId } = await startNew(api, callsInARow(server.url, [path]));
  await eventually(() => server.waiting(path) === 1);
  return executionId;
}

describe.each([
  ['hangs', 'freeze'],
  ['is down', 'kill'],
] as const)('while Postgres %s', (_how, outage) => {
  test('every route returns 503 in time, and the service recovers without a restart', async () => {
    const path = `/postgres-${outage}`;
    const running = await startHanging(path);

    await postgres.takeDown(outage);
    expectRefused(await Promise.all([...startingRoutes(), ...otherRoutes()].map((route) => send(...route))));
    await untilNotReady();
    expectRefused(await Promise.all([...startingRoutes(), ...otherRoutes()].map((route) => send(...route))));
    await postgres.restore();

    await expectRecovered();
    server.respond(path);
    await untilStatus(api, running, 'success');
    expect(server.calls(path)).toBe(1);
  });
});

test('a run is neither lost nor repeated when Postgres is unreachable for longer than the lease', async () => {
  const [running, ending] = [await startHanging('/runs-longer'), await startHanging('/ends-during-outage')];

  await postgres.takeDown('freeze');
  server.respond('/ends-during-outage');
  await delay(2 * leaseMs); // the length of the outage
  await postgres.restore();

  await expectRecovered();
  await untilStatus(api, ending, 'success');
  server.respond('/runs-longer');
  await untilStatus(api, running, 'success');
  expect([server.calls('/runs-longer'), server.calls('/ends-during-outage')]).toEqual([1, 1]);
});

test('a run that is queued before the worker has renewed an expired lease does not wait for the sweeper', async () => {
  await queryDatabase(postgres.url, `UPDATE workers SET lease_expires_at = now() - interval '1 second'`);

  const executionId = await startRun(api, smallWorkflow);

  await untilStatus(api, executionId, 'success');
  // The sweeper sets `queued_at`. It may have enqueued executions of earlier tests.
  const query = `SELECT FROM executions WHERE id = ${executionId} AND queued_at < created_at + interval '1 second'`;
  expect(await queryDatabase(postgres.url, query)).toHaveLength(1);
});

describe.each([
  ['hangs', 'freeze'],
  ['is down and loses its data', 'kill'],
] as const)('while Redis %s', (_how, outage) => {
  test('starts return 503 in time, other routes work, and the service recovers without a restart', async () => {
    const path = `/redis-${outage}`;
    const running = await startHanging(path);
    const stopped = await startHanging(`${path}-stopped`);

    await redis.takeDown(outage);
    const first = await Promise.all(startingRoutes().map((route) => send(...route)));
    expect(first.filter(({ status, tookMs }) => (status !== 200 && status !== 503) || tookMs > respondsWithinMs)).toEqual([]);
    await untilNotReady();
    expectRefused(await Promise.all(startingRoutes().map((route) => send(...route))));
    expect((await send('GET', `/executions/${running}`)).status).toBe(200);
    const stop = await send('POST', `/executions/${stopped}/stop`);
    expect(stop).toMatchObject({ status: 200, body: { status: 'canceled' } });
    await eventually(() => server.lostAt(`${path}-stopped`).length === 1);
    await redis.restore();

    await expectRecovered();
    server.respond(path);
    await untilStatus(api, running, 'success');
    expect((await send('GET', `/executions/${stopped}`)).body.status).toBe('canceled');
    for (const { status, body } of first) {
      if (status !== 200) continue;
      const [id, end] = body.executionId ? [body.executionId, 'success' as const] : [body.id, 'error' as const];
      await untilStatus(api, id, end);
    }
  });
});

test('while Postgres accepts no writes, nothing is ready, starts return 503, and reads work', async () => {
  const setReadOnly = async (value: 'on' | 'off') => {
    const connection = { connectionString: postgres.url, options: '-c default_transaction_read_only=off' };
    const client = new pg.Client(connection);
    await client.connect();
    await client.query(`ALTER SYSTEM SET default_transaction_read_only = ${value}`);
    await client.query('SELECT pg_reload_conf()');
    await client.end();
  };
  await setReadOnly('on');
  try {
    await untilNotReady();
    const refused = await Promise.all(startingRoutes().map((route) => send(...route)));
    expectRefused(refused);
    expect(refused[0]?.body.message).toBe('the database accepts no writes');
    expect((await send('GET', '/workflows')).status).toBe(200);
  } finally {
    await setReadOnly('off');
  }
  await expectRecovered();
});

test('while the memory of Redis is full, nothing is ready, and starts return 503 instead of waiting for a worker', async () => {
  const connection = createRedis(redis.url, 'consumer', createLogger({ name: 'test', level: 'silent' }));
  if (connection instanceof Cluster) throw new Error('this Redis is not a cluster');
  await connection.config('SET', 'maxmemory', '1mb');
  try {
    await untilNotReady();
    const refused = await Promise.all(startingRoutes().map((route) => send(...route)));
    expectRefused(refused);
    expect(refused[0]?.body.message).toBe('redis accepts no writes');
    expect((await send('GET', '/workflows')).status).toBe(200);
  } finally {
    await connection.config('SET', 'maxmemory', '0');
    await closeRedis(connection);
  }
  await expectRecovered();
});

test.each([
  ['Postgres hangs', () => postgres.takeDown('freeze')],
  ['Postgres is down', () => postgres.takeDown('kill')],
  ['Redis hangs', () => redis.takeDown('freeze')],
  ['Redis is down', () => redis.takeDown('kill')],
])('processes without work stop at once while %s', async (_, takeDown) => {
  const settings = { DATABASE_URL: postgres.url, REDIS_URL: redis.url, SHUTDOWN_GRACE_MS: '60000' };
  const idle = await Promise.all([startApi(settings), startWorker(settings)]);
  await takeDown();
  const before = performance.now();
  await Promise.all(idle.map((process) => process.stop()));
  expect(performance.now() - before).toBeLessThan(respondsWithinMs);
  for (const process of idle) expect(await process.exited).toEqual({ code: 0, signal: null });
});

test.each([
  ['hangs', 'freeze'],
  ['is down', 'kill'],
] as const)(
  'a request that waits for its workflow while Redis %s gets a 503 in time, and the response when repeated',
  async (_how, outage) => {
    const path = `/called-${outage}`;
    server.hold(path);
    const webhook = aNode({
      name: 'Webhook',
      type: 'base.webhook',
      typeVersion: 2.1,
      parameters: { path: `called-${outage}`, responseMode: 'lastNode' },
    });
    const workflowId = await createWorkflow(
      api,
      aChain([webhook, aCall('held', `${server.url}${path}`), aSet('Done', '{"done":true}')]),
    );
    expect((await api.call('POST', `/workflows/${workflowId}/activate`)).status).toBe(200);
    const send = () => fetch(`${api.url}/webhook/called-${outage}`, { headers: { 'idempotency-key': 'once' } });
    const waiting = send();
    await eventually(() => server.waiting(path) === 1);

    await redis.takeDown(outage);
    const before = performance.now();
    const refused = await waiting;
    expect(performance.now() - before).toBeLessThan(respondsWithinMs);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)]);
    const { code, executionId } = (await refused.json()) as { code: string; executionId: string };
    expect(code).toBe('SERVICE_UNAVAILABLE');
    await redis.restore();

    server.respond(path);
    await untilStatus(api, executionId, 'success');
    await eventually(async () => expect(await (await send()).json()).toEqual({ done: true }));
    expect(server.calls(path)).toBe(1);
  },
);

test('executions queued when Redis was killed run once', async () => {
  const paths = Array.from({ length: slots }, (_, slot) => `/slot-${slot}`);
  const hanging = await Promise.all(paths.map(startHanging));
  const workflowId = await createWorkflow(api, callsInARow(server.url, ['/queued']));
  const queued = await Promise.all(Array.from({ length: 20 }, () => startRun(api, workflowId)));
  expect(server.calls('/queued')).toBe(0);

  await redis.takeDown('kill');
  for (const path of paths) server.respond(path);
  await redis.restore();

  for (const id of [...hanging, ...queued]) await untilStatus(api, id, 'success');
  expect([...paths, '/queued'].map((path) => server.calls(path))).toEqual([...paths.map(() => 1), queued.length]);
});
