import { afterAll, expect, test } from '@jest/globals';
import { aChain, aSmallWorkflow, eventually } from '@sluice/test-support';
import { startApi, startService } from './harness.ts';
import { stopIn } from './support/cleanup.ts';
import { queryDatabase } from './support/database.ts';
import { untilLeasesRenewed } from './support/leases.ts';
import { LoopbackServer } from './support/loopback-server.ts';
import {
  callerOf,
  createWorkflow,
  expectStatus,
  getExecution,
  run,
  startNew,
  startRun,
  stop,
  untilStatus,
} from './support/runs.ts';
import { aCall, callsInARow, trigger } from './support/workflows.ts';

const leaseMs = 3_000;
/**
 * Maximum time from the stop request until the socket of the stopped node is closed. The contract
 * says 2 s; this allows for a busy machine.
 */
const stopWithinMs = 15_000;

const stopAfterAll = stopIn(afterAll);

const server = stopAfterAll(await LoopbackServer.start());
const settings = { CONCURRENCY: '1', LEASE_MS: String(leaseMs), SSRF_ALLOW: '127.0.0.1' };
const service = stopAfterAll(await startService({ settings }));

/** Starts a run that hangs in a request to `path`. */
async function startHanging(path: string): Promise<string> {
  server.hold(path);
  const { executionId } = await startNew(service, callsInARow(server.url, [path]));
  await eventually(() => server.waiting(path) === 1);
  return executionId;
}

async function expectSocketClosed(path: string, since: number): Promise<void> {
  await eventually(() => server.lostAt(path).length === 1);
  const tookMs = Math.round((server.lostAt(path)[0] as number) - since);
  if (tookMs > stopWithinMs) throw new Error(`the socket was closed after ${tookMs} ms instead of ${stopWithinMs}`);
}

/** Checks that the only slot is free: another run succeeds. */
async function expectFreeSlot(): Promise<void> {
  expect(await run(service, await createWorkflow(service, aSmallWorkflow()))).toMatchObject({ status: 'success' });
}

test('a stop closes the socket of a hanging request, frees the slot, and is final', async () => {
  const id = await startHanging('/hangs');

  const before = performance.now();
  const response = await stop(service, id);

  expect(response).toEqual({ id, status: 'canceled', stoppedAt: expect.stringMatching(/^\d{4}-.*Z$/) });
  await expectSocketClosed('/hangs', before);
  await expectFreeSlot();
  await untilLeasesRenewed(service.databaseUrl, leaseMs);
  const execution = await getExecution(service, id);
  expect(execution).toMatchObject({ status: 'canceled', stoppedAt: response.stoppedAt });
  expect(Object.keys(execution.data.resultData.runData)).toEqual(['Start']);
});

test('any API process can stop a run that another one started', async () => {
  const other = stopAfterAll(await startApi({ DATABASE_URL: service.databaseUrl, REDIS_URL: service.redisUrl }));
  const id = await startHanging('/other-api');

  const before = performance.now();
  await stop(callerOf(other, service.apiKey), id);

  await expectSocketClosed('/other-api', before);
  await expectFreeSlot();
});

test('a client that waits for a run gets its response when the run is stopped', async () => {
  server.hold('/watched');
  const workflowId = await createWorkflow(service, callsInARow(server.url, ['/watched']));
  const response = run(service, workflowId, { prefer: 'wait=30' });
  await eventually(() => server.waiting('/watched') === 1);
  const { data } = expectStatus(await service.call('GET', `/executions?workflowId=${workflowId}`), 200);

  await stop(service, data[0].id);

  expect(await response).toMatchObject({ executionId: data[0].id, finished: true, status: 'canceled' });
});

test('stopMany stops running and queued executions, counts them exactly, and prevents them from running later', async () => {
  await startHanging('/elsewhere');
  server.hold('/many');
  const workflowId = await createWorkflow(service, callsInARow(server.url, ['/many']));
  const unrelated = await startNew(service, aSmallWorkflow());
  const queued = await Promise.all(Array.from({ length: 20 }, () => startRun(service, workflowId)));
  await expectStopped({ workflowId, status: ['running'] }, 0);
  await expectStopped({ workflowId, status: ['queued'] }, 20);
  const more = await Promise.all(Array.from({ length: 20 }, () => startRun(service, workflowId)));

  const before = performance.now();
  await expectStopped({ status: ['queued', 'running', 'waiting'] }, 22);

  await expectSocketClosed('/elsewhere', before);
  await expectFreeSlot(); // queued after the stopped executions
  expect(server.calls('/many')).toBe(0);
  for (const id of [...queued, ...more, unrelated.executionId]) {
    expect(await getExecution(service, id)).toMatchObject({ status: 'canceled', startedAt: null });
  }
});

async function expectStopped(filter: object, count: number): Promise<void> {
  expect(expectStatus(await service.call('POST', '/executions/stopMany', { filter }), 200)).toEqual({ stopped: count });
}

test('a worker that missed the stop message detects the stop when it renews its lease', async () => {
  const id = await startHanging('/no-message');

  await queryDatabase(
    service.databaseUrl,
    `UPDATE executions SET status = 'canceled', stopped_at = clock_timestamp() WHERE id = $1`,
    [id],
  );

  await eventually(() => server.lostAt('/no-message').length === 1);
  await expectFreeSlot();
  expect((await getExecution(service, id)).status).toBe('canceled');
});

test('a stop interrupts the wait before the next try of a failed node', async () => {
  server.fail('/tried-again');
  const node = aCall('Call', `${server.url}/tried-again`, { retryOnFail: true, maxTries: 5, waitBetweenTries: 5_000 });
  const { executionId } = await startNew(service, aChain([trigger, node]));
  await eventually(() => server.calls('/tried-again') === 1);

  await stop(service, executionId);

  await expectFreeSlot();
  expect(server.calls('/tried-again')).toBe(1);
  expect((await getExecution(service, executionId)).status).toBe('canceled');
});

test('stopping an execution that has ended returns 409', async () => {
  const { executionId } = await run(service, await createWorkflow(service, aSmallWorkflow()));
  const stopped = await startHanging('/stopped-twice');
  await stop(service, stopped);

  for (const [id, status] of [
    [executionId, 'success'],
    [stopped, 'canceled'],
  ] as const) {
    expect(expectStatus(await service.call('POST', `/executions/${id}/stop`), 409).code).toBe('CONFLICT');
    await untilStatus(service, id, status);
  }
});
