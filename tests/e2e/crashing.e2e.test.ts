import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { aChain, eventually } from '@sluice/test-support';
import { type RunningProcess, type Settings, startService, startWorker } from './harness.ts';
import { endedBy } from './support/cleanup.ts';
import { queryDatabase } from './support/database.ts';
import { JobQueue } from './support/jobs.ts';
import { LoopbackServer } from './support/loopback-server.ts';
import { RecordingServer } from './support/recording-server.ts';
import { createWorkflow, getExecution, retry, startNew, startRun, untilRecorded, untilStatus } from './support/runs.ts';
import { aCall, aCode, aSet, callsInARow, trigger } from './support/workflows.ts';

const endedAtLast = endedBy(afterAll);
const ended = endedBy(afterEach);

const server = endedAtLast(await LoopbackServer.start());
/** Without workers: each test starts its own. */
const service = endedAtLast(await startService({ settings: { WORKERS: '0' } }));
const queue = endedAtLast(new JobQueue(service.redisUrl));

async function startOwnWorker(settings: Settings = {}): Promise<RunningProcess> {
  const urls = { DATABASE_URL: service.databaseUrl, REDIS_URL: service.redisUrl };
  return ended(await startWorker({ ...urls, SSRF_ALLOW: '127.0.0.1', ...settings }));
}

/** A run that has called `/<name>-done` and hangs in a request to `/<name>-hangs`. */
async function startHanging(name: string): Promise<{ workflowId: string; executionId: string }> {
  server.hold(`/${name}-hangs`);
  const started = await startNew(service, callsInARow(server.url, [`/${name}-done`, `/${name}-hangs`]));
  await eventually(() => server.waiting(`/${name}-hangs`) === 1);
  await untilRecorded(service, started.executionId, `${name}-done`);
  return started;
}

/** The retry of a hanging run finishes without repeating completed nodes. */
async function expectRetryGoesOn(name: string, executionId: string): Promise<void> {
  server.respond(`/${name}-hangs`);
  const { id } = await retry(service, executionId);
  const { data } = await untilStatus(service, id, 'success');
  expect(Object.keys(data.resultData.runData)).toEqual(['Start', `${name}-done`, `${name}-hangs`]);
  expect([server.calls(`/${name}-done`), server.calls(`/${name}-hangs`)]).toEqual([1, 2]);
}

describe('kill -9 of a worker in the middle of a node', () => {
  test('is detected by another worker: `crashed` with stoppedAt, and a retry continues at the node', async () => {
    const victim = await startOwnWorker();
    const { executionId } = await startHanging('killed');
    const survivor = await startOwnWorker();

    victim.signal('SIGKILL');

    const execution = await untilStatus(service, executionId, 'crashed');
    expect(execution.stoppedAt).toMatch(/^\d{4}-.*Z$/);
    expect(Object.keys(execution.data.resultData.runData)).toEqual(['Start', 'killed-done']);
    expect(execution.data.resultData.error).toMatchObject({ message: expect.any(String) });
    expect(survivor.output()).toContain(executionId);
    await expectRetryGoesOn('killed', executionId);
  });

  test('is detected by the worker that is started in its place', async () => {
    const settings = { LEASE_MS: '3000' };
    const victim = await startOwnWorker(settings);
    const { executionId } = await startHanging('replaced');
    victim.signal('SIGKILL');
    await victim.exited;

    await startOwnWorker(settings);

    await untilStatus(service, executionId, 'crashed');
    await expectRetryGoesOn('replaced', executionId);
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

describe('kill -9 of a worker that runs an execution with a limit', () => {
  test('starts the next one, which waited without a worker', async () => {
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

describe('kill -9 of a worker, and side effects', () => {
  let world: RecordingServer;
  beforeAll(async () => {
    world = endedAtLast(await RecordingServer.start());
  });
  afterEach(() => world.reset());

  /**
   * Generates an order number, and then sends it to `/order` and `/mail` in immediate succession.
   */
  const order = () => {
    const called = (name: string) => aCall(name, `=${world.url}/${name}?{{ $('Number').first().json.number }}`);
    const code = aCode('Number', 'return [{ json: { number: Math.random().toString(36).slice(2) } }];');
    return aChain([trigger, code, called('order'), aSet('Mail', '{ "text": "ordered" }'), called('mail')]);
  };

  /**
   * Runs it on a worker that dies at the first request to the path, and retries it; resolves to the
   * requests.
   */
  async function killedAt(path: string): Promise<string[]> {
    const settings = { LEASE_MS: '3000' };
    const victim = await startOwnWorker(settings);
    world.respond('GET /order', {});
    world.respond('GET /mail', {});
    world.respond(`GET /${path}`, () => {
      if (world.requests.filter((request) => request.path.startsWith(`/${path}?`)).length === 1) victim.signal('SIGKILL');
      return {};
    });
    const { executionId } = await startNew(service, order());
    await victim.exited;
    await startOwnWorker(settings);
    await untilStatus(service, executionId, 'crashed');

    const { id } = await retry(service, executionId);

    await untilStatus(service, id, 'success');
    return world.requests.map((request) => request.path);
  }

  test('a completed node is not repeated, even if the worker dies right after it', async () => {
    const [ordered, mailed, again, ...rest] = await killedAt('mail');
    expect(ordered).toMatch(/^\/order\?\w+$/);
    expect([mailed, again, rest]).toEqual([ordered?.replace('order', 'mail'), mailed, []]);
  });

  test('a node that may have completed is repeated with the same input', async () => {
    const [ordered, again, mailed, ...rest] = await killedAt('order');
    expect(ordered).toMatch(/^\/order\?\w+$/);
    expect([again, mailed, rest]).toEqual([ordered, ordered?.replace('order', 'mail'), []]);
  });
});

test('a worker that hangs longer than its lease overwrites nothing of its run', async () => {
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

describe('the end of a worker', () => {
  test.each(['SIGTERM', 'SIGHUP'] as const)('%s lets a short run finish, and accepts no other', async (signal) => {
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

  test('ends runs longer than SHUTDOWN_GRACE_MS as `crashed`, and a retry continues at the node', async () => {
    const worker = await startOwnWorker({ SHUTDOWN_GRACE_MS: '300' });
    const { executionId } = await startHanging('long');

    worker.signal('SIGTERM');

    expect(await worker.exited).toEqual({ code: 0, signal: null });
    expect(server.lostAt('/long-hangs')).toHaveLength(1);
    const execution = await getExecution(service, executionId);
    expect(execution).toMatchObject({ status: 'crashed', stoppedAt: expect.any(String) });
    expect(execution.data.resultData.error.message).toContain('shut down');
    await startOwnWorker();
    await expectRetryGoesOn('long', executionId);
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

  test('executions that no worker has claimed continue within a minute after FLUSHALL, alongside a running one', async () => {
    await startOwnWorker({ CONCURRENCY: '1' });
    const { executionId } = await startHanging('busy');
    const workflowId = await createWorkflow(service, callsInARow(server.url, ['/behind']));
    const behind = await Promise.all([1, 2, 3].map(() => startRun(service, workflowId)));
    const flushedAt = performance.now();
    await queue.flushRedis();

    server.respond('/busy-hangs');

    const left = () => ({ timeoutMs: 60_000 - (performance.now() - flushedAt) });
    await eventually(() => server.calls('/behind') === behind.length, left());
    for (const id of [executionId, ...behind]) await untilStatus(service, id, 'success');
    expect([server.calls('/behind'), server.calls('/busy-hangs')]).toEqual([behind.length, 1]);
  });

  test('a job that is delivered several times, to two workers, runs its execution once', async () => {
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

  test('an execution whose API died between commit and enqueue runs', async () => {
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
