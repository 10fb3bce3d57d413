import { randomBytes } from 'node:crypto';
import { afterAll, describe, expect, jest, test } from '@jest/globals';
import {
  Access,
  CalledExecutionRepository,
  ExecutionRepository,
  ExecutionStarter,
  ExecutionWaitRepository,
  RunDataRepository,
  toRunData,
  WorkflowRepository,
} from '@sluice/db';
import {
  type ExecutionId,
  type ExecutionMode,
  type ExecutionStatus,
  isTerminal,
  type JsonObject,
  type RunData,
  randomId,
  UnavailableError,
  type WorkflowNode,
  type WorkflowSettings,
} from '@sluice/domain';
import { aChain, aNode, eventually } from '@sluice/test-support';
import { sql } from 'kysely';
import { Fleet } from './support/fleet.ts';

const all = new Access('all');

const fleet = await Fleet.start({ PUBLIC_URL: 'https://sluice.test', LEASE_MS: '3000' });
const projectId = await fleet.aProject();
let workers = await Promise.all([fleet.work(), fleet.work()]);
afterAll(() => fleet.close());

const trigger = aNode({ name: 'Start', type: 'base.manual-trigger' });
const called = aNode({ name: 'Called', type: 'base.execute-workflow-trigger' });
const aSet = (name: string, jsonOutput: string) =>
  aNode({ name, type: 'base.set', typeVersion: 3.4, parameters: { mode: 'raw', jsonOutput } });
const items = (count: number) =>
  aNode({
    name: 'Items',
    type: 'base.code',
    typeVersion: 2,
    parameters: { jsCode: `return Array.from({ length: ${count} }, (_, n) => ({ json: { n } }))` },
  });
const callOf = (workflowId: string, parameters: JsonObject = {}, more: Partial<WorkflowNode> = {}) =>
  aNode({ name: 'Call', type: 'base.execute-workflow', typeVersion: 1.1, parameters: { workflowId, ...parameters }, ...more });

async function aWorkflow(
  nodes: WorkflowNode[],
  settings: WorkflowSettings = {},
  more: { id?: string; projectId?: string } = {},
) {
  const graph = { ...aChain(nodes), name: 'Sub', settings: { executionOrder: 'v1' as const, ...settings } };
  const workflow = { graph, staticData: null, meta: null, authorId: fleet.userId, projectId, ...more };
  return (await new WorkflowRepository(fleet.db.kysely).create(workflow, all)).id;
}

async function start(workflowId: string, mode: ExecutionMode = 'manual'): Promise<ExecutionId> {
  const starter = new ExecutionStarter(fleet.db);
  const executionId = await starter.start({ workflowId, access: all, graphHash: null, mode, userId: fleet.userId });
  await fleet.queue.enqueue({ executionId, attempt: 1 });
  return executionId;
}

async function untilStatus(
  id: ExecutionId,
  wanted: ExecutionStatus | 'ended',
): Promise<{ status: ExecutionStatus; error: { message: string; node?: string } | null; runData: RunData }> {
  const execution = await eventually(async () => {
    const current = await new ExecutionRepository(fleet.db).get(id, all);
    const reached = wanted === 'ended' ? isTerminal(current.status) : current.status === wanted;
    if (!reached) throw new Error(`${id} is ${current.status}, not ${wanted}`);
    return current;
  });
  const records = await new RunDataRepository(fleet.db).listNodeRuns(id);
  return { ...execution, runData: toRunData(records).runData };
}

const run = async (workflowId: string, mode?: ExecutionMode) => untilStatus(await start(workflowId, mode), 'ended');
const jsonOf = (runData: RunData, node: string, output = 0) =>
  runData[node]?.at(-1)?.data?.['main']?.[output]?.map(({ json }) => json);

async function childrenOf(id: ExecutionId): Promise<{ id: ExecutionId; status: ExecutionStatus }[]> {
  const { rows } = await sql<{ id: ExecutionId; status: ExecutionStatus }>`
    SELECT id, status FROM executions WHERE parent_execution_id = ${id} ORDER BY id`.execute(fleet.db.kysely);
  return rows;
}

async function executionsOf(workflowId: string): Promise<{ id: ExecutionId; status: ExecutionStatus }[]> {
  return fleet.db.kysely
    .selectFrom('executions')
    .select(['id', 'status'])
    .where('workflow_id', '=', workflowId)
    .orderBy('id')
    .execute();
}

describe('a sub-workflow', () => {
  test('gets the items and returns the items of its last node', async () => {
    const sub = await aWorkflow([called, aSet('Double', '={{ { n: $json.n, double: $json.n * 2 } }}')]);
    const { status, error, runData } = await run(
      await aWorkflow([trigger, items(3), callOf(sub), aSet('After', '={{ $json }}')]),
    );
    expect([status, error]).toEqual(['success', null]);
    expect(jsonOf(runData, 'After')).toEqual([0, 1, 2].map((n) => ({ n, double: 2 * n })));
  });

  test('runs for each item sequentially, in order', async () => {
    const sub = await aWorkflow([called, aSet('Seen', '={{ { n: $json.n, at: $now.toMillis(), execution: $execution.id } }}')]);
    const { runData } = await run(await aWorkflow([trigger, items(4), callOf(sub, { mode: 'each' })]));
    const seen = jsonOf(runData, 'Call') as { n: number; at: number; execution: string }[];
    expect(seen.map(({ n }) => n)).toEqual([0, 1, 2, 3]);
    expect(seen.map(({ at }) => at)).toEqual(seen.map(({ at }) => at).toSorted((a, b) => a - b));
    expect(new Set(seen.map(({ execution }) => execution)).size).toBe(4);
  });

  test('that fails makes the calling node fail with the workflow name, its failed node, and the reason', async () => {
    const broken = aNode({ name: 'Broken', type: 'base.stop-and-error', parameters: { errorMessage: 'no stock' } });
    const sub = await aWorkflow([called, broken]);
    const failing = await run(await aWorkflow([trigger, callOf(sub)]));
    expect(failing).toMatchObject({
      status: 'error',
      error: { message: 'sub-workflow "Sub" failed at node "Broken": no stock', node: 'Call' },
    });
    const continuing = await run(
      await aWorkflow([trigger, callOf(sub, {}, { onError: 'continueRegularOutput' }), aSet('After', '={{ $json }}')]),
    );
    expect(continuing.status).toBe('success');
    expect(jsonOf(continuing.runData, 'After')).toEqual([{ error: expect.stringContaining('no stock') }]);
  });

  test('can be given as JSON', async () => {
    const workflowJson = JSON.stringify({ ...aChain([called, aSet('Inline', '={{ { inline: true } }}')]), name: 'Inline one' });
    const { runData, error } = await run(await aWorkflow([trigger, callOf('', { source: 'parameter', workflowJson })]));
    expect(error).toBeNull();
    expect(jsonOf(runData, 'Call')).toEqual([{ inline: true }]);
  });

  test('that is not awaited is started, and the items are passed through', async () => {
    const sub = await aWorkflow([called, aSet('Later', '={{ $json }}')]);
    const { runData } = await run(
      await aWorkflow([trigger, items(2), callOf(sub, { options: { waitForSubWorkflow: false } })]),
    );
    expect(jsonOf(runData, 'Call')).toEqual([{ n: 0 }, { n: 1 }]);
    const [started] = await executionsOf(sub);
    const { runData: ofSub } = await untilStatus(started?.id ?? '', 'success');
    expect(jsonOf(ofSub, 'Later')).toEqual([{ n: 0 }, { n: 1 }]);
  });

  test('that is not awaited starts once, even if the reply to its start was lost', async () => {
    const { start: starting } = CalledExecutionRepository.prototype;
    let starts = 0;
    const losing = jest.spyOn(CalledExecutionRepository.prototype, 'start').mockImplementation(async function (
      this: CalledExecutionRepository,
      ...call
    ) {
      const started = await starting.apply(this, call);
      starts += 1;
      if (starts === 1) throw new UnavailableError('the reply was lost');
      return started;
    });
    const sub = await aWorkflow([called]);
    const { status } = await run(await aWorkflow([trigger, callOf(sub, { options: { waitForSubWorkflow: false } })]));
    losing.mockRestore();
    expect([status, starts]).toEqual(['success', 2]);
    expect(await executionsOf(sub)).toHaveLength(1);
  });

  test('can itself call workflows and wait', async () => {
    const deepest = await aWorkflow([called, aSet('Deep', '={{ { deep: true } }}')]);
    const middle = await aWorkflow([called, callOf(deepest), callOf(deepest, {}, { name: 'Again' })]);
    const { status, runData } = await run(await aWorkflow([trigger, callOf(middle)]));
    expect(status).toBe('success');
    expect(jsonOf(runData, 'Call')).toEqual([{ deep: true }]);
  });

  test('of another project can be called if its settings allow it', async () => {
    const elsewhere = randomId();
    await fleet.db.kysely.insertInto('projects').values({ id: elsewhere, name: 'elsewhere', type: 'team' }).execute();
    const closed = await aWorkflow([called], {}, { projectId: elsewhere });
    const open = await aWorkflow([called], { callerPolicy: 'any' }, { projectId: elsewhere });
    const refused = await run(await aWorkflow([trigger, callOf(closed)]));
    expect(refused.error?.message).toBe(`workflow ${closed} does not exist or cannot be called from this workflow`);
    expect((await run(await aWorkflow([trigger, callOf('nowhere')]))).error?.message).toContain(
      'workflow nowhere does not exist',
    );
    expect((await run(await aWorkflow([trigger, callOf(open)]))).status).toBe('success');
    const shut = await aWorkflow([called], { callerPolicy: 'none' });
    expect((await run(await aWorkflow([trigger, callOf(shut)]))).error?.message).toContain('callerPolicy');
  });

  test('is stopped if it calls itself recursively without end', async () => {
    const id = randomId();
    await aWorkflow([called, callOf(id)], {}, { id });
    const { status, error } = await run(await aWorkflow([trigger, callOf(id)]));
    expect(status).toBe('error');
    expect(error?.message).toContain('workflows call each other deeper than 20 levels');
  });

  test('is stopped with its caller', async () => {
    const sub = await aWorkflow([
      called,
      aNode({ name: 'Wait', type: 'base.wait', typeVersion: 1.1, parameters: { amount: 60 } }),
    ]);
    const id = await start(await aWorkflow([trigger, callOf(sub)]));
    const [child] = await eventually(async () => {
      const children = await childrenOf(id);
      if (children[0]?.status !== 'waiting') throw new Error('the child does not wait yet');
      return children;
    });
    expect((await new ExecutionRepository(fleet.db).get(id, all)).status).toBe('running');
    await new ExecutionRepository(fleet.db).cancel(id, all);
    expect((await untilStatus(child?.id ?? '', 'ended')).status).toBe('canceled');
    await eventually(() => workers.every(({ context }) => context.inFlightExecutions.size === 0));
  });

  test('ends when its caller times out', async () => {
    const sub = await aWorkflow([
      called,
      aNode({ name: 'Wait', type: 'base.wait', typeVersion: 1.1, parameters: { amount: 60 } }),
    ]);
    const id = await start(await aWorkflow([trigger, callOf(sub)], { executionTimeout: 1 }));
    expect(await untilStatus(id, 'ended')).toMatchObject({ status: 'error', error: { code: 'EXECUTION_TIMEOUT' } });
    const [child] = await childrenOf(id);
    expect((await untilStatus(child?.id ?? '', 'ended')).status).toBe('canceled');
  });

  test('runs again when its failed caller is retried', async () => {
    const picky = await aWorkflow([
      called,
      aNode({ name: 'Broken', type: 'base.stop-and-error', parameters: { errorMessage: 'no' } }),
    ]);
    const caller = await aWorkflow([trigger, callOf(picky)]);
    const id = await start(caller);
    await untilStatus(id, 'error');
    const executions = new ExecutionRepository(fleet.db);
    const original = await executions.get(id, all);
    const retry = await executions.retry({
      original,
      access: all,
      graphHash: original.graphHash,
      versionId: null,
      userId: fleet.userId,
      keep: { except: [], subNodes: [] },
    });
    await fleet.queue.enqueue({ executionId: retry.id, attempt: 1 });
    expect((await untilStatus(retry.id, 'ended')).error?.message).toContain('no');
    expect(await childrenOf(retry.id)).toHaveLength(1);
  });
});

describe('a wait', () => {
  const waitFor = (parameters: JsonObject) => aNode({ name: 'Wait', type: 'base.wait', typeVersion: 1.1, parameters });

  test('of seconds also releases the worker and does not end early', async () => {
    const id = await start(await aWorkflow([trigger, waitFor({ amount: 2 })]));
    await untilStatus(id, 'waiting');
    expect(workers.map(({ context }) => context.inFlightExecutions.size)).toEqual([0, 0]);
    const { runData } = await untilStatus(id, 'success');
    const { startTime, executionTime } = runData['Wait']?.[0] ?? { startTime: 0, executionTime: 0 };
    expect(startTime).toBeGreaterThan(0);
    expect(executionTime).toBeGreaterThanOrEqual(1_990);
    expect(executionTime).toBeLessThan(30_000);
  });

  test('for hours releases the worker, and no earlier node runs again', async () => {
    const id = await start(
      await aWorkflow([
        trigger,
        aSet('Before', '={{ { at: Math.random() } }}'),
        waitFor({ amount: 2, unit: 'hours' }),
        aSet('After', '={{ $json }}'),
      ]),
    );
    const { runData } = await untilStatus(id, 'waiting');
    expect(workers.map(({ context }) => context.inFlightExecutions.size)).toEqual([0, 0]);
    await sql`UPDATE executions SET resume_at = now() WHERE id = ${id}`.execute(fleet.db.kysely);
    const ended = await untilStatus(id, 'success');
    expect(jsonOf(ended.runData, 'After')).toEqual(jsonOf(runData, 'Before'));
    expect(ended.runData['Before']).toHaveLength(1);
    expect(ended.runData['Wait']?.[0]?.executionTime).toBeGreaterThan(0);
  });

  test('survives the end of all workers', async () => {
    const id = await start(await aWorkflow([trigger, waitFor({ amount: 2, unit: 'hours' })]));
    await untilStatus(id, 'waiting');
    await fleet.stopWorkers();
    await sql`UPDATE executions SET resume_at = now() WHERE id = ${id}`.execute(fleet.db.kysely);
    workers = await Promise.all([fleet.work(), fleet.work()]);
    expect((await untilStatus(id, 'ended')).status).toBe('success');
  });

  test('for a request provides its URL, and returns the content of the request', async () => {
    const id = await start(
      await aWorkflow(
        [
          trigger,
          aSet('Mail', '={{ { url: $execution.resumeUrl } }}'),
          waitFor({ resume: 'webhook' }),
          waitFor({ amount: 2, unit: 'hours' }),
        ].map((node, i) => ({ ...node, name: i === 3 ? 'Later' : node.name })),
      ),
    );
    const { runData } = await untilStatus(id, 'waiting');
    const waits = new ExecutionWaitRepository(fleet.db);
    const [wait] = await waits.listRequestWaits(id);
    expect(jsonOf(runData, 'Mail')).toEqual([{ url: `https://sluice.test/webhook-waiting/${id}/${wait?.resumeToken}` }]);
    const received = { headers: {}, params: {}, query: {}, body: { ok: true } };
    expect(wait && (await waits.resumeByRequest(wait, received))).toBe(true);
    await fleet.queue.enqueue({ executionId: id, attempt: 2 });
    await eventually(async () => (await waits.findEnded({ executionId: id, attempt: 3 })) !== undefined);
    await sql`UPDATE executions SET resume_at = now() WHERE id = ${id}`.execute(fleet.db.kysely);
    const ended = await untilStatus(id, 'success');
    expect(jsonOf(ended.runData, 'Later')).toEqual([received]);
  });

  test('resumes hundreds of executions that are due together', async () => {
    const workflowId = await aWorkflow([trigger, waitFor({ amount: 2, unit: 'hours' })]);
    const ids: ExecutionId[] = [];
    while (ids.length < 300) ids.push(...(await Promise.all(Array.from({ length: 20 }, () => start(workflowId)))));
    await eventually(async () => (await executionsOf(workflowId)).every(({ status }) => status === 'waiting'));
    await sql`UPDATE executions SET resume_at = now() + interval '1 second' WHERE id = ANY (${ids}::bigint[])`.execute(
      fleet.db.kysely,
    );
    await eventually(async () => (await executionsOf(workflowId)).every(({ status }) => status === 'success'));
  });
});

describe('an error workflow', () => {
  const caught = aNode({ name: 'Caught', type: 'base.error-trigger' });
  const broken = aNode({
    name: 'Broken',
    type: 'base.stop-and-error',
    parameters: { errorMessage: `no ${randomBytes(4).toString('hex')}` },
  });

  test('runs once when an execution fails, with the data of the failure', async () => {
    const errorWorkflow = await aWorkflow([caught, aSet('Seen', '={{ $json }}')]);
    const failing = await aWorkflow([trigger, broken], { errorWorkflow });
    const id = await start(failing, 'trigger');
    await untilStatus(id, 'error');
    const [errorRun] = await eventually(async () => {
      const runs = await executionsOf(errorWorkflow);
      if (runs.length === 0) throw new Error('nothing started');
      return runs;
    });
    const { runData } = await untilStatus(errorRun?.id ?? '', 'success');
    expect(jsonOf(runData, 'Seen')).toEqual([
      {
        execution: {
          id,
          url: `https://sluice.test/api/v1/executions/${id}`,
          error: expect.objectContaining({ message: broken.parameters['errorMessage'], node: { name: 'Broken' } }),
          lastNodeExecuted: 'Broken',
          mode: 'trigger',
        },
        workflow: { id: failing, name: 'Sub' },
      },
    ]);
    await eventually(async () => (await executionsOf(errorWorkflow)).length === 1);
  });

  test('that fails does not start itself or an endless chain of error workflows', async () => {
    const id = randomId();
    await aWorkflow([caught, broken], { errorWorkflow: id }, { id });
    await untilStatus(await start(await aWorkflow([trigger, broken], { errorWorkflow: id }), 'trigger'), 'error');
    await eventually(async () => {
      const runs = await executionsOf(id);
      return runs.length === 1 && runs[0]?.status === 'error';
    });
    for (const { context } of workers) await context.sweeper.round();
    expect(await executionsOf(id)).toHaveLength(1);
  });
});
