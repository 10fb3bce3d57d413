import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { aChain, eventually } from '@sluice/test-support';
import { type RunningProcess, type Settings, startService, startWorker } from './harness.ts';
import { stopIn } from './support/cleanup.ts';
import { queryDatabase } from './support/database.ts';
import { JobQueue } from './support/jobs.ts';
import { LoopbackServer } from './support/loopback-server.ts';
import { RecordingServer } from './support/recording-server.ts';
import { createWorkflow, getExecution, retry, startNew, startRun, untilRecorded, untilStatus } from './support/runs.ts';
import { aCall, aCode, aSet, callsInARow, trigger } from './support/workflows.ts';

const stopAfterAll = stopIn(afterAll);
const stopAfterEach = stopIn(afterEach);

const server = stopAfterAll(await LoopbackServer.start());
/** Starts no worker: each test starts its own. */
const service = stopAfterAll(await startService({ settings: { WORKERS: '0' } }));
const queue = stopAfterAll(new JobQueue(service.redisUrl));

async function startOwnWorker(settings: Settings = {}): Promise<RunningProcess> {
  const urls = { DATABASE_URL: service.databaseUrl, REDIS_URL: service.redisUrl };
  return stopAfterEach(await startWorker({ ...urls, SSRF_ALLOW: '127.0.0.1', ...settings }));
}

/** Starts a run that has called `/<name>-done` and hangs in a request to `/<name>-hangs`. */
async function startHanging(name: string): Promise<{ workflowId: string; executionId: string }> {
  server.hold(`/${name}-hangs`);
  const started = await startNew(service, callsInARow(server.url, [`/${name}-done`, `/${name}-hangs`]));
  await eventually(() => server.waiting(`/${name}-hangs`) === 1);
  await untilRecorded(service, started.executionId, `${name}-done`);
  return started;
}

/** Retries a run of `startHanging`, which must finish without repeating completed nodes. */
async function expectRetryContinues(name: string, executionId: string): Promise<void> {
  server.respond(`/${name}-hangs`);
  const { id } = await retry(service, executionId);
  const { data } = await untilStatus(service, id, 'success');
  expect(Object.keys(data.resultData.runData)).toEqual(['Start', `${name}-done`, `${name}-hangs`]);
  expect([server.calls(`/${name}-done`), server.calls(`/${name}-hangs`)]).toEqual([1, 2]);
}

describe('kill -9 of a worker in the middle of a node', () => {
  test('is detected by another worker, which marks the execution `crashed`; a retry continues at the node', async () => {
    const victim = await startOwnWorker();
    const { executionId } = await startHanging('killed');
    const survivor = await startOwnWorker();

    victim.signal('SIGKILL');

    const execution = await untilStatus(service, executionId, 'crashed');
    expect(execution.stoppedAt).toMatch(/^\d{4}-.*Z$/);
    expect(Object.keys(execution.data.resultData.runData)).toEqual(['Start', 'killed-done']);
    expect(execution.data.resultData.error).toMatchObject({ message: expect.any(String) });
    expect(survivor.output()).toContain(executionId);
    await expectRetryContinues('killed', executionId);
  });

  test('is detected by the worker that replaces it', async () => {
    const settings = { LEASE_MS: '3000' };
    const victim = await startOwnWorker(settings);
    const { executionId } = await startHanging('replaced');
    await victim.kill();

    await startOwnWorker(settings);

    await untilStatus(service, executionId, 'crashed');
    await expectRetryContinues('replaced', executionId);
  });

  test('does not affect executions of other workers', async () => {
    const settings = { LEASE_MS: '3000', CONCURRENCY: '1' };
    const victim = await startOwnWorker(settings);
    const lost = await startHanging('lost');
    await startOwnWorker(settings);
    const kept = await startHanging('kept');

    victim.signal('SIGKILL');
    await untilStatus(service, lost.executionId, 'crashed');
    server.respond('/kept-hangs');

    await untilStatus(service, kept.executionId, 'success');
    expect(server.calls('/kept-hangs')).toBe(1);
  });
});

describe('kill -9 of a worker that runs an execution of a workflow with a concurrency limit', () => {
  test('starts the next execution of the workflow', async () => {
    const settings = { LEASE_MS: '3000' };
    const victim = await startOwnWorker(settings);
    server.hold('/limited');
    const graph = { ...callsInARow(server.url, ['/limited']), settings: { concurrency: { limit: 1 } } };
    const { workflowId, executionId } = await startNew(service, graph);
    await eventually(() => server.waiting('/limited') === 1);
    const next = await startRun(service, workflowId);
    await eventually(async () => {
      expect(await getExecution(service, next)).toMatchObject({ waitingFor: { limit: 'workflow', id: workflowId } });
    });
    await startOwnWorker(settings);

    victim.signal('SIGKILL');

    await untilStatus(service, executionId, 'crashed');
    server.respond('/limited');
    await untilStatus(service, next, 'success');
  });
});

describe('side effects around a kill -9 of the worker', () => {
  let effects: RecordingServer;
  beforeAll(async () => {
    effects = stopAfterAll(await RecordingServer.start());
  });
  afterEach(() => effects.reset());

  /**
   * A workflow that generates an order number and sends it to `/order` and, right after that, to
   * `/mail`.
   */
  const order = () => {
    const called = (name: string) => aCall(name, `=${effects.url}/${name}?{{ $('Number').first().json.number }}`);
    const code = aCode('Number', 'return [{ json: { number: Math.random().toString(36).slice(2) } }];');
    return aChain([trigger, code, called('order'), aSet('Mail', '{ "text": "ordered" }'), called('mail')]);
  };

  /**
   * Runs the workflow on a worker that is killed at the first request to the path, then retries it.
   * Resolves to the paths of all requests.
   */
  async function requestsWhenKilledAt(path: string): Promise<string[]> {
    const settings = { LEASE_MS: '3000' };
    const victim = await startOwnWorker(settings);
    effects.respond('GET /order', {});
    effects.respond('GET /mail', {});
    effects.respond(`GET /${path}`, () => {
      if (effects.requests.filter((request) => request.path.startsWith(`/${path}?`)).length === 1) victim.signal('SIGKILL');
      return {};
    });
    const { executionId } = await startNew(service, order());
    await victim.exited;
    await startOwnWorker(settings);
    await untilStatus(service, executionId, 'crashed');

    const { id } = await retry(service, executionId);

    await untilStatus(service, id, 'success');
    return effects.requests.map((request) => request.path);
  }

  test('a completed node is not repeated, even if the worker dies right after it', async () => {
    const [ordered, mailed, again, ...rest] = await requestsWhenKilledAt('mail');
    expect(ordered).toMatch(/^\/order\?\w+$/);
    expect([mailed, again, rest]).toEqual([ordered?.replace('order', 'mail'), mailed, []]);
  });

  test('a node that may have completed is repeated with the same input', async () => {
    const [ordered, again, mailed, ...rest] = await requestsWhenKilledAt('order');
    expect(ordered).toMatch(/^\/order\?\w+$/);
    expect([again, mailed, rest]).toEqual([ordered, ordered?.replace('order', 'mail'), []]);
  });
});

test('a worker that was frozen for longer than its lease cannot overwrite its execution', async () => {
  const settings = { LEASE_MS: '3000' };
  const hung = await startOwnWorker(settings);
  const { executionId } = await startHanging('hung');
  await startOwnWorker(settings);

  hung.signal('SIGSTOP');
  const { stoppedAt } = await untilStatus(service, executionId, 'crashed');
  server.respond('/hung-hangs');
  hung.signal('SIGCONT');

  await eventually(() => hung.output().includes('the lease was lost'));
  expect(await getExecution(service, executionId)).toMatchObject({ status: 'crashed', stoppedAt });
  const { executionId: next } = await startNew(service, callsInARow(server.url, ['/after-hung']));
  await untilStatus(service, next, 'success');
});

describe('the shutdown of a worker', () => {
  test.each(['SIGTERM', 'SIGHUP'] as const)('%s lets a short run finish and claims no new one', async (signal) => {
    const name = `short-${signal}`;
    const worker = await startOwnWorker();
    const { executionId } = await startHanging(name);

    worker.signal(signal);
    await eventually(() => worker.output().includes('worker stopping'));
    expect((await fetch(`${worker.url}/readyz`)).status).toBe(503);
    const late = await startNew(service, callsInARow(server.url, [`/late-${signal}`]));
    server.respond(`/${name}-hangs`);

    expect(await worker.exited).toEqual({ code: 0, signal: null });
    expect((await getExecution(service, executionId)).status).toBe('success');
    expect((await getExecution(service, late.executionId)).status).toBe('new');
    await startOwnWorker();
    await untilStatus(service, late.executionId, 'success');
    expect([server.calls(`/${name}-hangs`), server.calls(`/late-${signal}`)]).toEqual([1, 1]);
  });

  test('marks runs that exceed SHUTDOWN_GRACE_MS as `crashed`, and a retry continues at the node', async () => {
    const worker = await startOwnWorker({ SHUTDOWN_GRACE_MS: '300' });
    const { executionId } = await startHanging('long');

    worker.signal('SIGTERM');

    expect(await worker.exited).toEqual({ code: 0, signal: null });
    expect(server.lostAt('/long-hangs')).toHaveLength(1);
    const execution = await getExecution(service, executionId);
    expect(execution).toMatchObject({ status: 'crashed', stoppedAt: expect.any(String) });
    expect(execution.data.resultData.error.message).toContain('shut down');
    await startOwnWorker();
    await expectRetryContinues('long', executionId);
  });
});

describe('jobs that Redis lost or duplicated', () => {
  test('100 queued executions run exactly once after FLUSHALL', async () => {
    const url = `=${server.url}/flushed/{{ $execution.id }}`;
    const workflowId = await createWorkflow(service, aChain([trigger, aCall('Count', url)]));
    const ids = await Promise.all(Array.from({ length: 100 }, () => startRun(service, workflowId)));
    await queue.flushRedis();
    expect(await queue.size()).toBe(0);

    await Promise.all([startOwnWorker(), startOwnWorker()]);

    const called = () => ids.filter((id) => server.calls(`/flushed/${id}`) > 0).length;
    await eventually(() => called() === ids.length, { timeoutMs: 180_000 });
    for (const id of ids) await untilStatus(service, id, 'success');
    expect(ids.map((id) => server.calls(`/flushed/${id}`))).toEqual(ids.map(() => 1));
  });

  test('executions that no worker has claimed start within a minute after FLUSHALL, and a running one continues', async () => {
    await startOwnWorker({ CONCURRENCY: '1' });
    const { executionId } = await startHanging('busy');
    const workflowId = await createWorkflow(service, callsInARow(server.url, ['/unclaimed']));
    const unclaimed = await Promise.all([1, 2, 3].map(() => startRun(service, workflowId)));
    const flushedAt = performance.now();
    await queue.flushRedis();

    server.respond('/busy-hangs');

    const remainingTime = () => ({ timeoutMs: 60_000 - (performance.now() - flushedAt) });
    await eventually(() => server.calls('/unclaimed') === unclaimed.length, remainingTime());
    for (const id of [executionId, ...unclaimed]) await untilStatus(service, id, 'success');
    expect([server.calls('/unclaimed'), server.calls('/busy-hangs')]).toEqual([unclaimed.length, 1]);
  });

  test('a job that is delivered to two workers several times runs its execution once', async () => {
    await Promise.all([startOwnWorker(), startOwnWorker()]);
    const { executionId } = await startHanging('twice');

    await Promise.all([1, 2, 3, 4].map((n) => queue.addAgain(executionId, `again-${n}`)));
    await eventually(async () => (await queue.size()) === 0);
    server.respond('/twice-hangs');
    await untilStatus(service, executionId, 'success');
    await queue.addAgain(executionId, 'after-the-end');
    await eventually(async () => (await queue.size()) === 0);

    expect([server.calls('/twice-done'), server.calls('/twice-hangs')]).toEqual([1, 1]);
    expect((await getExecution(service, executionId)).status).toBe('success');
  });

  test('an execution runs even if its API process died between commit and enqueue', async () => {
    const workflowId = await createWorkflow(service, callsInARow(server.url, ['/orphan']));
    const [row] = await queryDatabase<{ id: string }>(
      service.databaseUrl,
      `INSERT INTO executions (workflow_id, project_id, graph_hash, version_id, status, mode)
        SELECT w.id, w.project_id, v.graph_hash, v.id, 'new', 'manual'
        FROM workflows w JOIN workflow_versions v ON v.id = w.version_id WHERE w.id = $1 RETURNING id`,
      [workflowId],
    );

    await startOwnWorker();

    await untilStatus(service, row?.id ?? '', 'success');
    expect(server.calls('/orphan')).toBe(1);
  });
});
