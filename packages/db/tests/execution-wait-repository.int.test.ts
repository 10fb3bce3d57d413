import { randomBytes } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  Access,
  CalledExecutionRepository,
  createDatabase,
  type EndedWait,
  ExecutionRepository,
  ExecutionWaitRepository,
  RunDataRepository,
  WorkerRepository,
  WorkflowRepository,
} from '@sluice/db';
import type { ExecutionId, ExpectedRequest, Suspension, WorkflowRunResult } from '@sluice/domain';
import { leastWithin, longestBusy, testDatabase } from '@sluice/test-support';
import { sql } from 'kysely';
import type { PreparedStatement } from '../src/connection/database.ts';
import { aStoredWorkflow, type StoredWorkflow } from './a-workflow.ts';
import { suspended, TestWorker } from './run-executions.ts';

const all = new Access('all');
let workflow: StoredWorkflow;

const database = await testDatabase();
const { db } = database;
const waits = new ExecutionWaitRepository(db);
const called = new CalledExecutionRepository(db);
const executions = new ExecutionRepository(db);
const workers = new WorkerRepository(db);
const worker = await TestWorker.register(db);
beforeEach(async () => {
  workflow = await aStoredWorkflow(database.db);
});
afterAll(() => database.drop());

const expected: ExpectedRequest = { method: 'GET', response: { status: 200, headers: {} } };
const running = () => worker.running(workflow);

const suspend = (id: ExecutionId, suspension: Suspension, options?: Parameters<TestWorker['suspend']>[3]) =>
  worker.suspend(id, workflow, suspension, options);

const toCall = (id: ExecutionId, count: number, stopAtFailure?: boolean) => worker.toCall(id, workflow, count, stopAtFailure);

const statusOf = async (id: ExecutionId) => (await executions.get(id, all)).status;

describe('a wait for a time', () => {
  test('releases the worker, and one process resumes it as the next attempt when it is due', async () => {
    const id = await running();
    expect(await suspend(id, { kind: 'time', at: 0 }, { waitMs: 0 })).toEqual({ first: undefined });
    expect(await executions.get(id, all)).toMatchObject({ status: 'waiting', workerId: null, attempt: 2 });
    const resumed = await Promise.all([1, 2, 3].map(() => waits.resumeDue(10)));
    expect(resumed.flat()).toEqual([{ executionId: id, attempt: 2 }]);
    expect(await worker.recorder.claim({ executionId: id, attempt: 1 })).toBeUndefined();
    expect(await worker.recorder.claim({ executionId: id, attempt: 2 })).toMatchObject({ attempt: 2 });
    expect(await waits.findEnded({ executionId: id, attempt: 2 })).toMatchObject({
      suspended,
      kind: 'time',
      resumeToken: 'token',
    });
  });

  test('is not resumed before its time, which is returned', async () => {
    const id = await running();
    await suspend(id, { kind: 'time', at: 0 }, { waitMs: 3_600_000 });
    expect(await waits.resumeDue(10)).toEqual([]);
    const ms = (await waits.nextDueMs()) ?? 0;
    expect(ms).toBeGreaterThan(3_000_000);
    expect(ms).toBeLessThanOrEqual(3_600_000);
    await executions.cancel(id, all);
    expect(await waits.nextDueMs()).toBeUndefined();
  });

  test('pauses the time limit of an execution', async () => {
    workflow = await aStoredWorkflow(database.db, { executionTimeout: 100 });
    const id = await running();
    await suspend(id, { kind: 'time', at: 0 }, { waitMs: 0 });
    await sql`UPDATE executions SET queued_at = queued_at - interval '1 day', deadline_at = deadline_at - interval '1 day' WHERE id = ${id}`.execute(
      database.db.kysely,
    );
    expect(await workers.endOverdue(0)).toEqual([]);
    await waits.resumeDue(10);
    const claimed = await worker.recorder.claim({ executionId: id, attempt: 2 });
    expect(claimed?.remainingMs).toBeGreaterThan(10_000);
    expect(claimed?.remainingMs).toBeLessThan(101_000);
  });

  test('can last for years', async () => {
    const id = await running();
    const executionTime = 99 * 366 * 86_400_000;
    const row = {
      executionId: id,
      attempt: 1,
      seq: 0,
      nodeName: 'Wait',
      runIndex: 0,
      failed: false,
      startTime: 1,
      executionTime,
    };
    expect(await worker.recorder.append([{ ...row, json: JSON.stringify({ executionTime }) }])).toBe(true);
    const [run] = await new RunDataRepository(database.db).listNodeRuns(id);
    expect(run?.run.executionTime).toBe(executionTime);
  });

  test('is not stored if the execution was stopped', async () => {
    const id = await running();
    await executions.cancel(id, all);
    expect(await suspend(id, { kind: 'time', at: 0 })).toBeUndefined();
    expect(await statusOf(id)).toBe('canceled');
  });

  test('is not reaped, enqueued, or counted as a lost job', async () => {
    const id = await running();
    await suspend(id, { kind: 'time', at: 0 }, { waitMs: 60_000 });
    expect(await workers.takeStranded(-1_000, 10)).toEqual([]);
    expect(await workers.listClaimed(worker.id)).not.toContainEqual(expect.objectContaining({ executionId: id }));
    await executions.cancel(id, all);
  });
});

describe('a wait for a request', () => {
  const received = { headers: { a: 'b' }, params: {}, query: {}, body: { text: '\u0000' } };

  test('is resumed by one of many concurrent requests, whose data the node can read', async () => {
    const id = await running();
    await suspend(id, { kind: 'call', call: expected });
    const [wait] = await waits.listRequestWaits(id);
    expect(wait).toMatchObject({
      executionId: id,
      attempt: 2,
      resumeToken: 'token',
      call: expected,
      open: true,
      workflowId: workflow.workflowId,
    });
    expect(await waits.findRequestWaits(id, 'token')).toEqual([wait]);
    for (const token of ['toke', 'token\0', '']) expect(await waits.findRequestWaits(id, token)).toEqual([]);
    expect(await waits.knowsVisitor(id, { token: 'token', key: undefined })).toBe(true);
    expect(await waits.knowsVisitor(id, { token: 'other', key: 'other' })).toBe(false);
    expect(await waits.findLife(id)).toMatchObject({ status: 'waiting', lastWait: 2 });
    const ref = { executionId: id, attempt: 2 };
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => waits.resumeByRequest(ref, received)));
    expect(answers.filter(Boolean)).toHaveLength(1);
    expect(await waits.findEnded(ref)).toMatchObject({ kind: 'call', received });
    expect((await waits.listRequestWaits(id)).map(({ open }) => open)).toEqual([false]);
  });

  test('is read by a worker of an older release while a newer one adds a column', async () => {
    const id = await running();
    await suspend(id, { kind: 'call', call: expected });
    const older = createDatabase({ url: database.url, poolSize: 1 });
    const find = () => new ExecutionWaitRepository(older).findEnded({ executionId: id, attempt: 2 });
    const before = await find();
    await sql`ALTER TABLE execution_waits ADD COLUMN newer integer`.execute(database.db.kysely);
    expect(await find().finally(() => older.close())).toEqual(before);
    await sql`ALTER TABLE execution_waits DROP COLUMN newer`.execute(database.db.kysely);
    await executions.cancel(id, all);
  });

  test('is resumed by a large request without blocking the event loop', async () => {
    const id = await running();
    await suspend(id, { kind: 'call', call: expected });
    const body = Array.from({ length: 400_000 }, (_, n) => ({ n, text: 'some text of an item' }));
    const ref = { executionId: id, attempt: 2 };
    const resume = async () => {
      await sql`UPDATE executions SET status = 'waiting' WHERE id = ${id}`.execute(database.db.kysely);
      expect(await waits.resumeByRequest(ref, { ...received, body })).toBe(true);
      expect((await waits.findEnded(ref))?.received?.body).toHaveLength(body.length);
    };
    expect(await leastWithin(100, () => longestBusy(resume))).toBeLessThan(100);
    await executions.cancel(id, all);
  });

  test('is resumed without a request after its time limit', async () => {
    const id = await running();
    await suspend(id, { kind: 'call', call: expected, at: 0 }, { waitMs: 0 });
    expect(await waits.resumeDue(10)).toEqual([{ executionId: id, attempt: 2 }]);
    expect(await waits.resumeByRequest({ executionId: id, attempt: 2 }, received)).toBe(false);
    expect((await waits.findEnded({ executionId: id, attempt: 2 }))?.received).toBeUndefined();
  });
});

describe('an execution with sub-executions', () => {
  test('stays running without a worker, is ignored by the sweepers, and resumes once the last child has ended', async () => {
    const id = await running();
    const { first } = (await toCall(id, 2)) ?? {};
    const [one, two] = (await worker.childrenOf(id)) as [ExecutionId, ExecutionId];
    expect(first).toMatchObject({ executionId: one, attempt: 1 });
    expect(await executions.get(id, all)).toMatchObject({ status: 'running', workerId: null });
    const stranded = await workers.takeStranded(-1_000, 100);
    expect(stranded).toContainEqual({ executionId: one, attempt: 1 });
    expect(stranded.map(({ executionId }) => executionId)).not.toContain(id);
    expect(stranded.map(({ executionId }) => executionId)).not.toContain(two);
    expect(await called.wake()).toEqual({ due: [], skipped: [] });

    await worker.end(one, { n: 1 });
    const turns = await Promise.all([called.wake([id]), called.wake(), called.wake([id])]);
    expect(turns.flatMap(({ due }) => due)).toMatchObject([{ executionId: two, attempt: 1 }]);
    await worker.end(two, { n: 2 });
    const woken = await Promise.all([called.wake([id]), called.wake(), called.wake([id])]);
    expect(woken.flatMap(({ due }) => due)).toMatchObject([{ executionId: id, attempt: 2 }]);

    expect(await worker.recorder.claim({ executionId: id, attempt: 2 })).toBeDefined();
    const wait = await waits.findEnded({ executionId: id, attempt: 2 });
    expect(wait && (await called.readResults(wait, 1e6))).toEqual([
      { executionId: one, status: 'success', items: [{ json: { n: 1 } }] },
      { executionId: two, status: 'success', items: [{ json: { n: 2 } }] },
    ]);
  });

  test('returns the data that its node keeps', async () => {
    const suspension: Suspension = { kind: 'workflows', runs: [], stopAtFailure: false };
    const find = (executionId: ExecutionId) => waits.findEnded({ executionId, attempt: 2 });
    const keptJson = String.raw`{"a":"\u0000","b":[1]}`;
    const [withData, without] = [await running(), await running()];
    await suspend(withData, suspension, { count: 1, keptJson });
    await suspend(without, suspension, { count: 1 });
    expect((await find(withData))?.kept).toEqual({ a: '\u0000', b: [1] });
    expect((await find(without))?.kept).toBeUndefined();
  });

  test('cannot be claimed before its children have ended, and a child cannot be claimed before its turn', async () => {
    const id = await running();
    await toCall(id, 2);
    const [one, two] = (await worker.childrenOf(id)) as [ExecutionId, ExecutionId];
    expect(await worker.recorder.claim({ executionId: id, attempt: 2 })).toBeUndefined();
    expect(await worker.recorder.claim({ executionId: two, attempt: 1 })).toBeUndefined();
    expect(await statusOf(two)).toBe('new');
    await worker.end(one);
    await called.wake();
    expect(await worker.recorder.claim({ executionId: two, attempt: 1 })).toBeDefined();
  });

  test('skips the children after a failed child if it stops on errors, and gets the reason', async () => {
    const id = await running();
    await toCall(id, 3);
    const [one, two, three] = (await worker.childrenOf(id)) as [ExecutionId, ExecutionId, ExecutionId];
    await worker.end(one, { status: 'error' });
    expect(await called.wake([id])).toMatchObject({ due: [{ executionId: id, attempt: 2 }], skipped: [two, three] });
    const wait = await waits.findEnded({ executionId: id, attempt: 2 });
    const error = { message: 'sub-workflow "a workflow" failed at node "Set": no stock', node: 'Set' };
    expect(wait && (await called.readResults(wait, 1e6))).toEqual([
      { executionId: one, status: 'failed', error },
      { executionId: two, status: 'skipped' },
      { executionId: three, status: 'skipped' },
    ]);
  });

  test('gets the error of recursive calls once if each of them failed', async () => {
    const id = await running();
    await toCall(id, 1);
    const [one] = (await worker.childrenOf(id)) as [ExecutionId];
    const message = 'sub-workflow "a workflow" failed at node "Set": too deep';
    await worker.end(one, { status: 'error', message });
    await called.wake([id]);
    const wait = await waits.findEnded({ executionId: id, attempt: 2 });
    const error = { message, node: 'Set' };
    expect(wait && (await called.readResults(wait, 1e6))).toEqual([{ executionId: one, status: 'failed', error }]);
  });

  test('continues with the next child after a failed child if it does not stop on errors', async () => {
    const id = await running();
    await toCall(id, 2, false);
    const [one, two] = (await worker.childrenOf(id)) as [ExecutionId, ExecutionId];
    await worker.end(one, { status: 'error' });
    expect(await called.wake([id])).toMatchObject({ due: [{ executionId: two, attempt: 1 }], skipped: [] });
  });

  test('is canceled with its children at every depth', async () => {
    const id = await running();
    await toCall(id, 2);
    const [one, two] = (await worker.childrenOf(id)) as [ExecutionId, ExecutionId];
    await worker.recorder.claim({ executionId: one, attempt: 1 });
    await toCall(one, 1);
    const [deep] = (await worker.childrenOf(one)) as [ExecutionId];
    expect(await executions.cancel(id, all)).toMatchObject({
      called: expect.arrayContaining([one, two, deep]),
      parentId: null,
    });
    expect(await Promise.all([id, one, two, deep].map(statusOf))).toEqual(Array(4).fill('canceled'));
  });

  test('resumes when its child is stopped, with the stop as the reason', async () => {
    const id = await running();
    await toCall(id, 1);
    const [child] = (await worker.childrenOf(id)) as [ExecutionId];
    expect(await executions.cancel(child, all)).toMatchObject({ parentId: id, called: [] });
    expect((await called.wake([id])).due).toMatchObject([{ executionId: id, attempt: 2 }]);
    const wait = await waits.findEnded({ executionId: id, attempt: 2 });
    const [result] = wait ? await called.readResults(wait, 1e6) : [];
    expect(result).toMatchObject({ status: 'failed', error: { message: expect.stringContaining('it was stopped') } });
  });

  test('leaves no child unfinished when it times out or its workflow is deleted', async () => {
    const target = workflow;
    const limited = await aStoredWorkflow(database.db, { executionTimeout: 100 });
    const [late, deleted] = [await worker.running(limited), await worker.running(await aStoredWorkflow(database.db))];
    workflow = target;
    for (const id of [late, deleted]) await toCall(id, 1);
    await sql`UPDATE executions SET deadline_at = now() - interval '1 minute' WHERE id = ${late}`.execute(database.db.kysely);
    const children = [...(await worker.childrenOf(late)), ...(await worker.childrenOf(deleted))] as [ExecutionId, ExecutionId];
    expect(await called.cancelOrphans()).toEqual([]);
    expect(await workers.endOverdue(0)).toEqual([late]);
    expect(await called.cancelOrphans()).toEqual([children[0]]);
    const { workflowId } = await executions.get(deleted, all);
    const { canceled } = await new WorkflowRepository(database.db.kysely).delete(workflowId, all);
    expect(canceled).toEqual([deleted, children[1]]);
    expect(await statusOf(children[1])).toBe('canceled');
  });

  test('with thousands of children takes the same time for each', async () => {
    const id = await running();
    await toCall(id, 3_000);
    const children = await worker.childrenOf(id);
    const began = performance.now();
    for (const child of children.slice(0, 50)) {
      await sql`UPDATE executions SET status = 'running' WHERE id = ${child}`.execute(database.db.kysely);
      await sql`UPDATE executions SET status = 'success', stopped_at = now() WHERE id = ${child}`.execute(database.db.kysely);
      expect((await called.wake([id])).due).toHaveLength(1);
    }
    // reading all children each time would take minutes
    expect(performance.now() - began).toBeLessThan(60_000);
    await executions.cancel(id, all);
  });

  test('reads the results of its children in batches that fit into memory', async () => {
    const id = await running();
    await toCall(id, 6);
    const children = await worker.childrenOf(id);
    for (const child of children) {
      await worker.end(child, { text: randomBytes(1_500_000).toString('base64') });
      await called.wake([id]);
    }
    const wait = (await waits.findEnded({ executionId: id, attempt: 2 })) as EndedWait;
    let mostBytes = 0;
    const measured = {
      ...database.db,
      async query<Row extends object>(statement: PreparedStatement) {
        const rows = await database.db.query<Row & { data?: Buffer }>(statement);
        const bytes = rows.reduce((sum, { data }) => sum + (data?.length ?? 0), 0);
        mostBytes = Math.max(mostBytes, bytes);
        return rows;
      },
    };
    let results: WorkflowRunResult[] = [];
    const read = async () => {
      results = await new CalledExecutionRepository(measured).readResults(wait, 1e8);
    };
    expect(await leastWithin(200, () => longestBusy(read))).toBeLessThan(200);
    expect(results.map(({ executionId, status }) => [executionId, status])).toEqual(
      children.map((child) => [child, 'success']),
    );
    expect(mostBytes).toBeLessThan(8_500_000);
    await expect(called.readResults(wait, 5e6)).rejects.toMatchObject({ code: 'RUN_DATA_TOO_LARGE' });
    await executions.cancel(id, all);
  });

  test('is not suspended if the workflow to call has been deleted', async () => {
    const id = await worker.running(await aStoredWorkflow(database.db));
    await new WorkflowRepository(database.db.kysely).delete(workflow.workflowId, all);
    await expect(toCall(id, 1)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await statusOf(id)).toBe('running');
  });
});

test('an execution stores the inputs of thousands of children without blocking the event loop', async () => {
  const id = await running();
  const child = {
    workflow: { id: workflow.workflowId, graphHash: workflow.graphHash, returnsAllRuns: false },
    inputJson: JSON.stringify({ x: 'y'.repeat(20_000) }),
  };
  const suspension: Suspension = { kind: 'workflows', runs: [], stopAtFailure: true };
  const wait = {
    executionId: id,
    attempt: 1,
    workerId: worker.id,
    suspended,
    suspension,
    resumeToken: 'token',
    waitMs: undefined,
  };
  const store = () => waits.suspend({ ...wait, children: Array(10_000).fill(child) });
  expect(await longestBusy(store)).toBeLessThan(150);
  expect(await statusOf(id)).toBe('running');
  await executions.cancel(id, all);
});
