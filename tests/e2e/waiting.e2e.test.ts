import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import type { JsonObject, WorkflowNode } from '@sluice/domain';
import { aChain, aNode, eventually } from '@sluice/test-support';
import { type RunningProcess, startService, startWorker } from './harness.ts';
import { stopIn } from './support/cleanup.ts';
import { queryDatabase } from './support/database.ts';
import { LoopbackServer } from './support/loopback-server.ts';
import { createWorkflow, getExecution, run, startRun, stop, untilStatus } from './support/runs.ts';
import { aCall, aSet, trigger } from './support/workflows.ts';

const stopAfterAll = stopIn(afterAll);
const stopAfterEach = stopIn(afterEach);

const server = stopAfterAll(await LoopbackServer.start());
/** Starts no worker: each test starts its own. */
const service = stopAfterAll(await startService({ settings: { WORKERS: '0' } }));

async function startOwnWorker(): Promise<RunningProcess> {
  const urls = { DATABASE_URL: service.databaseUrl, REDIS_URL: service.redisUrl, PUBLIC_URL: service.url };
  return stopAfterEach(await startWorker({ ...urls, SSRF_ALLOW: '127.0.0.1', LEASE_MS: '3000' }));
}

const called = aNode({ name: 'Called', type: 'base.execute-workflow-trigger', typeVersion: 1 });
const callOf = (workflowId: string, parameters: JsonObject = {}): WorkflowNode =>
  aNode({ name: 'Call', type: 'base.execute-workflow', typeVersion: 1.1, parameters: { workflowId, ...parameters } });
const waitFor = (parameters: JsonObject) => aNode({ name: 'Wait', type: 'base.wait', typeVersion: 1.1, parameters });
const mail = aSet('Mail', '={{ { url: $execution.resumeUrl } }}');

const childrenOf = (id: string) =>
  queryDatabase<{ id: string; status: string }>(
    service.databaseUrl,
    'SELECT id, status FROM executions WHERE parent_execution_id = $1 ORDER BY id',
    [id],
  );

describe('a workflow that calls another one', () => {
  test('gets its result and frees its slot while it waits, so one slot is enough for both', async () => {
    const sub = await createWorkflow(service, aChain([called, aSet('Done', '={{ { done: true } }}')]));
    const workflowId = await createWorkflow(service, aChain([trigger, callOf(sub)]));
    const urls = { DATABASE_URL: service.databaseUrl, REDIS_URL: service.redisUrl };
    stopAfterEach(await startWorker({ ...urls, CONCURRENCY: '1' }));
    const { finished, status, data } = await run(service, workflowId);
    expect([finished, status]).toEqual([true, 'success']);
    expect(data.resultData.runData.Call[0].data.main[0][0].json).toEqual({ done: true });
  });

  test('fails at the call if the worker of the sub-execution was killed, and a retry succeeds', async () => {
    const sub = await createWorkflow(service, aChain([called, aCall('held', `${server.url}/held`)]));
    const caller = aChain([trigger, aCall('before', `${server.url}/before`), callOf(sub)]);
    const workflowId = await createWorkflow(service, caller);
    const first = await startOwnWorker();
    server.hold('/held');
    const executionId = await startRun(service, workflowId);
    await eventually(() => server.waiting('/held') === 1);
    expect((await getExecution(service, executionId)).status).toBe('running');

    await first.kill();
    await startOwnWorker();
    const execution = await untilStatus(service, executionId, 'error');
    expect(execution.data.resultData.error).toMatchObject({
      node: 'Call',
      message: expect.stringContaining('died or lost contact'),
    });
    expect(await childrenOf(executionId)).toMatchObject([{ status: 'crashed' }]);

    server.respond('/held');
    const { body } = await service.call('POST', `/executions/${executionId}/retry`, {});
    await untilStatus(service, body.id, 'success');
    expect(server.calls('/before')).toBe(1);
  });

  test('resumes even if all workers were killed while the sub-execution waited for a time', async () => {
    const sub = await createWorkflow(service, aChain([called, waitFor({ amount: 66 }), aSet('Done', '={{ { done: true } }}')]));
    const caller = aChain([trigger, callOf(sub), aSet('After', '={{ $json }}')]);
    const first = await startOwnWorker();
    const executionId = await startRun(service, await createWorkflow(service, caller));
    const [child] = await eventually(async () => {
      const children = await childrenOf(executionId);
      if (children[0]?.status !== 'waiting') throw new Error('the child does not wait yet');
      return children;
    });
    await first.kill();
    await queryDatabase(service.databaseUrl, 'UPDATE executions SET resume_at = now() WHERE id = $1', [child?.id]);
    await startOwnWorker();
    const { data } = await untilStatus(service, executionId, 'success');
    expect(data.resultData.runData.After[0].data.main[0][0].json).toEqual({ done: true });
  });

  test('is stopped together with its sub-executions', async () => {
    await startOwnWorker();
    server.hold('/child-hangs');
    const sub = await createWorkflow(service, aChain([called, aCall('hang', `${server.url}/child-hangs`)]));
    const executionId = await startRun(service, await createWorkflow(service, aChain([trigger, callOf(sub)])));
    await eventually(() => server.waiting('/child-hangs') === 1);
    await stop(service, executionId);
    await eventually(() => server.waiting('/child-hangs') === 0);
    expect(await childrenOf(executionId)).toMatchObject([{ status: 'canceled' }]);
  });
});

describe('a workflow that waits', () => {
  test('responds immediately, survives a kill of its worker, and resumes exactly once, with the request that it waits for', async () => {
    const first = await startOwnWorker();
    const nodes = [trigger, aCall('before', `${server.url}/once`), mail, waitFor({ resume: 'webhook', httpMethod: 'POST' })];
    const workflowId = await createWorkflow(service, aChain([...nodes, aSet('After', '={{ $json.body }}')]));
    const { executionId, finished, status, data } = await run(service, workflowId);
    expect([finished, status]).toEqual([false, 'waiting']);
    const { url } = data.resultData.runData.Mail[0].data.main[0][0].json;

    await first.kill();
    const post = () => fetch(url, { method: 'POST', body: '{"ok":true}', headers: { 'content-type': 'application/json' } });
    const responses = await Promise.all([post(), post(), post(), post()]);
    expect(responses.map((response) => response.status).toSorted()).toEqual([200, 409, 409, 409]);
    await startOwnWorker();
    const execution = await untilStatus(service, executionId, 'success');
    expect(execution.data.resultData.runData.After[0].data.main[0][0].json).toEqual({ ok: true });
    expect(server.calls('/once')).toBe(1);
    expect(service.output()).not.toContain(url.split('/').at(-1));
  });

  test('for a time resumes even if all workers were killed', async () => {
    const first = await startOwnWorker();
    const workflowId = await createWorkflow(
      service,
      aChain([trigger, waitFor({ amount: 66 }), aSet('After', '={{ { ok: true } }}')]),
    );
    const { executionId, status } = await run(service, workflowId);
    expect(status).toBe('waiting');
    await first.kill();
    await startOwnWorker();
    await queryDatabase(service.databaseUrl, `UPDATE executions SET resume_at = now() + interval '2 seconds' WHERE id = $1`, [
      executionId,
    ]);
    await untilStatus(service, executionId, 'success');
  });
});

describe('an error workflow', () => {
  const runsOf = (workflowId: string) =>
    queryDatabase<{ id: string; status: string }>(
      service.databaseUrl,
      'SELECT id, status FROM executions WHERE workflow_id = $1 ORDER BY id',
      [workflowId],
    );

  test('starts once for an execution whose worker was killed', async () => {
    const caught = aNode({ name: 'Caught', type: 'base.error-trigger' });
    const errorWorkflow = await createWorkflow(service, aChain([caught, aSet('Seen', '={{ $json }}')]));
    server.hold('/crash');
    const graph = aChain([trigger, aCall('hang', `${server.url}/crash`)], { settings: { errorWorkflow } });
    const workflowId = await createWorkflow(service, graph);
    const executionId = await startRun(service, workflowId);
    await queryDatabase(service.databaseUrl, `UPDATE executions SET mode = 'webhook' WHERE id = $1`, [executionId]);
    const first = await startOwnWorker();
    await eventually(() => server.waiting('/crash') === 1);
    await first.kill();
    await Promise.all([startOwnWorker(), startOwnWorker()]);
    await untilStatus(service, executionId, 'crashed');
    const [started] = await eventually(async () => {
      const runs = await runsOf(errorWorkflow);
      if (runs[0]?.status !== 'success') throw new Error('the error workflow has not run');
      return runs;
    });
    const { data } = await getExecution(service, started?.id ?? '');
    expect(data.resultData.runData.Seen[0].data.main[0][0].json).toMatchObject({
      execution: {
        id: executionId,
        error: { code: 'WORKER_LOST' },
        mode: 'webhook',
        url: expect.stringContaining(`/executions/${executionId}`),
      },
      workflow: { id: workflowId },
    });
    expect(await runsOf(errorWorkflow)).toHaveLength(1);
  });
});
