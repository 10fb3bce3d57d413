import { afterAll, describe, expect, test } from '@jest/globals';
import { aChain, aNode, eventually } from '@sluice/test-support';
import { startService } from './harness.ts';
import { stopIn } from './support/cleanup.ts';
import { LoopbackServer } from './support/loopback-server.ts';
import {
  createWorkflow,
  expectStatus,
  getExecution,
  retry,
  run,
  startNew,
  stop,
  untilRecorded,
  untilStatus,
} from './support/runs.ts';
import { aCall, callsInARow, trigger } from './support/workflows.ts';

const stopAfterAll = stopIn(afterAll);

const server = stopAfterAll(await LoopbackServer.start());
const service = stopAfterAll(await startService({ settings: { LEASE_MS: '3000', SSRF_ALLOW: '127.0.0.1' } }));

describe('a retry', () => {
  test('continues at the failed node without repeating finished nodes, and its success is linked to the original', async () => {
    server.fail('/b2');
    const workflowId = await createWorkflow(service, callsInARow(server.url, ['/b1', '/b2', '/b3']));
    const failed = await run(service, workflowId);
    expect(failed).toMatchObject({ status: 'error', data: { resultData: { lastNodeExecuted: 'b2', error: { node: 'b2' } } } });
    server.respond('/b2');

    const response = await retry(service, failed.executionId);

    expect(response).toEqual({
      id: expect.stringMatching(/^\d+$/),
      workflowId,
      status: 'running',
      mode: 'retry',
      retryOf: failed.executionId,
      startedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    const { data, startedAt, retryOf } = await untilStatus(service, response.id, 'success');
    expect([startedAt, retryOf]).toEqual([response.startedAt, failed.executionId]);
    expect(['/b1', '/b2', '/b3'].map((path) => server.calls(path))).toEqual([1, 2, 1]);
    expect(Object.keys(data.resultData.runData)).toEqual(['Start', 'b1', 'b2', 'b3']);
    expect(data.resultData.runData.b1).toEqual(failed.data.resultData.runData.b1);
    expect(data.resultData.runData.b2).toEqual([expect.objectContaining({ executionStatus: 'success' })]);
    expect(data.resultData.error).toBeUndefined();
    expect(await getExecution(service, failed.executionId)).toMatchObject({ status: 'error', retrySuccessId: response.id });
  });

  test('that fails again does not count as a success of the original, and can itself be retried', async () => {
    server.fail('/again');
    const workflowId = await createWorkflow(service, callsInARow(server.url, ['/before', '/again']));
    const first = await run(service, workflowId);

    const second = await retry(service, first.executionId);
    await untilStatus(service, second.id, 'error');
    expect((await getExecution(service, first.executionId)).retrySuccessId).toBeNull();
    server.respond('/again');
    const third = await retry(service, second.id);

    expect(await untilStatus(service, third.id, 'success')).toMatchObject({ retryOf: second.id });
    expect([server.calls('/before'), server.calls('/again')]).toEqual([1, 3]);
  });

  test('runs the original graph, or the current one with loadWorkflow: true', async () => {
    const call = aCall('Call', `${server.url}/fixed`);
    const broken = aChain([
      trigger,
      call,
      aNode({ name: 'Work', type: 'base.stop-and-error', parameters: { errorMessage: 'no' } }),
    ]);
    const workflowId = await createWorkflow(service, broken);
    const { executionId } = await run(service, workflowId);
    const { nodes } = aChain([trigger, call, aNode({ name: 'Work', type: 'base.no-op' })]);
    expectStatus(await service.call('PATCH', `/workflows/${workflowId}`, { nodes }), 200);

    const original = await retry(service, executionId, { loadWorkflow: false });
    const repaired = await retry(service, executionId, { loadWorkflow: true });

    await untilStatus(service, original.id, 'error');
    await untilStatus(service, repaired.id, 'success');
    expect(server.calls('/fixed')).toBe(1);
  });

  test('of a stopped run continues at the stopped node', async () => {
    server.hold('/stopped');
    const { executionId } = await startNew(service, callsInARow(server.url, ['/kept', '/stopped']));
    await eventually(() => server.waiting('/stopped') === 1);
    await stop(service, executionId);
    server.respond('/stopped');

    const { id } = await retry(service, executionId);

    await untilStatus(service, id, 'success');
    expect([server.calls('/kept'), server.calls('/stopped')]).toEqual([1, 2]);
    expect(await getExecution(service, executionId)).toMatchObject({ status: 'canceled', retrySuccessId: id });
  });

  test('of a crashed run continues at the node in which its worker died', async () => {
    server.hold('/dies');
    const { executionId } = await startNew(service, callsInARow(server.url, ['/survives', '/dies']));
    await eventually(() => server.waiting('/dies') === 1);
    await untilRecorded(service, executionId, 'survives');
    process.kill(service.pidOf('worker-1'), 'SIGKILL');
    await untilStatus(service, executionId, 'crashed');
    server.respond('/dies');

    const { id } = await retry(service, executionId);

    await untilStatus(service, id, 'success');
    expect([server.calls('/survives'), server.calls('/dies')]).toEqual([1, 2]);
  });

  test('with `from` repeats the given node, or the start, and everything after it', async () => {
    server.fail('/s3');
    const { executionId } = await run(service, await createWorkflow(service, callsInARow(server.url, ['/s1', '/s2', '/s3'])));
    server.respond('/s3');

    const fromNode = await retry(service, executionId, { from: 's2' });
    await untilStatus(service, fromNode.id, 'success');
    expect(['/s1', '/s2', '/s3'].map((path) => server.calls(path))).toEqual([1, 2, 2]);
    const fromStart = await retry(service, executionId, { from: 'start' });
    await untilStatus(service, fromStart.id, 'success');
    expect(['/s1', '/s2', '/s3'].map((path) => server.calls(path))).toEqual([2, 3, 3]);
  });

  test('of a running or successful execution is rejected with 409 and starts nothing', async () => {
    server.hold('/runs');
    const { workflowId, executionId } = await startNew(service, callsInARow(server.url, ['/runs']));
    await eventually(() => server.waiting('/runs') === 1);

    const running = expectStatus(await service.call('POST', `/executions/${executionId}/retry`, {}), 409);
    server.respond('/runs');
    await untilStatus(service, executionId, 'success');
    const succeeded = expectStatus(await service.call('POST', `/executions/${executionId}/retry`, {}), 409);

    expect(running).toMatchObject({ code: 'CONFLICT', message: 'cannot retry a running or waiting execution' });
    expect(succeeded.code).toBe('CONFLICT');
    expect(await count(workflowId)).toBe(1);
  });
});

describe('ten concurrent requests with one Idempotency-Key', () => {
  const ten = async <T>(request: () => Promise<T>) => Promise.all(Array.from({ length: 10 }, request));

  test('to run a workflow start one execution and all return it', async () => {
    const workflowId = await createWorkflow(service, callsInARow(server.url, ['/once']));

    const responses = await ten(() => run(service, workflowId, { 'idempotency-key': 'run once' }));

    expect(new Set(responses.map(({ executionId }) => executionId)).size).toBe(1);
    expect(responses.every(({ finished, status }) => finished && status === 'success')).toBe(true);
    expect([await count(workflowId), server.calls('/once')]).toEqual([1, 1]);
    const other = await run(service, workflowId, { 'idempotency-key': 'run once more' });
    expect(other.executionId).not.toBe(responses[0].executionId);
  });

  test('to retry an execution start one retry and all return it', async () => {
    server.fail('/retried-once');
    const workflowId = await createWorkflow(service, callsInARow(server.url, ['/retried-once']));
    const { executionId } = await run(service, workflowId);
    server.respond('/retried-once');

    const path = `/executions/${executionId}/retry`;
    const responses = await ten(async () =>
      expectStatus(await service.call('POST', path, {}, { 'idempotency-key': 'retry once' }), 200),
    );

    expect(new Set(responses.map(({ id }) => id)).size).toBe(1);
    await untilStatus(service, responses[0].id, 'success');
    expect([await count(workflowId), server.calls('/retried-once')]).toEqual([2, 2]);
  });
});

async function count(workflowId: string): Promise<number> {
  return expectStatus(await service.call('GET', `/executions?workflowId=${workflowId}`), 200).count;
}
