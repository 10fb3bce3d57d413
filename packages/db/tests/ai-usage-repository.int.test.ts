import { afterAll, beforeEach, expect, test } from '@jest/globals';
import {
  Access,
  AiUsageRepository,
  CalledExecutionRepository,
  ExecutionRecorder,
  ExecutionRepository,
  ExecutionWaitRepository,
  WorkerRepository,
} from '@sluice/db';
import { type AiCounts, type ExecutionId, randomId } from '@sluice/domain';
import { testDatabase } from '@sluice/test-support';
import { ExpiredRowRepository } from '../src/maintenance/expired-row-repository.ts';
import { anExecution, aStoredWorkflow, type StoredWorkflow, startExecutions } from './a-workflow.ts';

const workerId = randomId();
let workflow: StoredWorkflow;

const database = await testDatabase();
const { db } = database;
const usages = new AiUsageRepository(db.kysely);
const waits = new ExecutionWaitRepository(db);
const recorder = new ExecutionRecorder(db, () => workerId);
await new WorkerRepository(db).register({ id: workerId, hostname: 'here', pid: 1, concurrency: 1 }, 600_000);
beforeEach(async () => {
  workflow = await aStoredWorkflow(database.db);
});
afterAll(() => database.drop());

const nothing: AiCounts = { modelCalls: 0, toolCalls: 0, tokens: 0, cost: 0 };
const add = (id: ExecutionId, use: Partial<AiCounts>, before: Partial<AiCounts> = {}) =>
  usages.add(id, { ...nothing, ...use }, { ...nothing, ...before });
const aChild = () => ({
  workflow: { id: workflow.workflowId, graphHash: workflow.graphHash, returnsAllRuns: false },
  inputJson: '{}',
});

async function running(): Promise<ExecutionId> {
  const [id] = (await startExecutions(database.db, [anExecution(workflow)])) as [ExecutionId];
  await recorder.claim({ executionId: id, attempt: 1 });
  return id;
}

/** Creates an execution that this execution calls and awaits. */
async function callFrom(executionId: ExecutionId): Promise<ExecutionId> {
  const suspended = {
    nodeName: 'A',
    runIndex: 0,
    startTime: 5,
    tryNumber: 1,
    calls: ['c'],
    counted: { modelCalls: 0, toolCalls: 2 },
  };
  const suspension = { kind: 'workflows', runs: [], stopAtFailure: false } as const;
  const wait = {
    executionId,
    attempt: 1,
    workerId,
    suspended,
    suspension,
    resumeToken: 't',
    waitMs: undefined,
    children: [aChild()],
  };
  const first = (await waits.suspend(wait))?.first;
  if (!first) throw new Error('no child was started');
  await recorder.claim(first);
  expect((await waits.findEnded({ executionId, attempt: 2 }))?.suspended).toEqual(suspended);
  return first.executionId;
}

test('usage is counted for an execution together with all executions that it starts, awaited or not, at every depth', async () => {
  const [root, other] = [await running(), await running()];
  expect(await add(root, { modelCalls: 1, cost: 0.5 })).toEqual({ ...nothing, modelCalls: 1, cost: 0.5 });
  const child = await callFrom(root);
  expect(await add(child, { toolCalls: 1, tokens: 7 })).toEqual({ modelCalls: 1, toolCalls: 1, tokens: 7, cost: 0.5 });
  const called = new CalledExecutionRepository(database.db);
  const [started] = await called.start(child, [aChild()], []);
  const deep = started?.executionId ?? '';
  await recorder.claim({ executionId: deep, attempt: 1 });
  const deepest = await callFrom(deep);
  for (const id of [deep, deepest, root]) await add(id, { modelCalls: 1 });
  expect(await add(child, {})).toEqual({ modelCalls: 4, toolCalls: 1, tokens: 7, cost: 0.5 });
  expect(await add(other, { modelCalls: 1 })).toEqual({ ...nothing, modelCalls: 1 });
});

test('usage of earlier attempts counts once', async () => {
  const root = await running();
  const before = { modelCalls: 2, toolCalls: 3, tokens: 4, cost: 5 };
  expect(await add(root, { modelCalls: 1 }, before)).toEqual({ ...before, modelCalls: 3 });
  expect(await add(root, { modelCalls: 1 }, before)).toEqual({ ...before, modelCalls: 4 });
});

test('usage that is added again because the reply was lost counts once', async () => {
  const root = await running();
  await add(root, { modelCalls: 1 });
  const [use, write] = [{ ...nothing, modelCalls: 1, cost: 0.5 }, {}];
  for (const _ of ['first', 'again'])
    expect(await usages.add(root, use, nothing, write)).toEqual({ ...nothing, modelCalls: 2, cost: 0.5 });
  expect(await add(root, { modelCalls: 1 })).toMatchObject({ modelCalls: 3 });
});

test('concurrent usage is added up', async () => {
  const root = await running();
  const sums = await Promise.all(Array.from({ length: 20 }, () => add(root, { modelCalls: 1 })));
  expect(sums.map((sum) => sum?.modelCalls ?? 0).sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
});

const usagesOf = async (ids: ExecutionId[]) => {
  const rows = database.db.kysely.selectFrom('ai_usages').select('root_execution_id').where('root_execution_id', 'in', ids);
  return (await rows.execute()).map((row) => row.root_execution_id).sort();
};
const unused = (ids: ExecutionId[]) =>
  database.db.kysely
    .updateTable('ai_usages')
    .set({ used_at: new Date(0) })
    .where('root_execution_id', 'in', ids)
    .execute();

test('usage of a deleted execution is ignored, and its row is deleted a day after its last use', async () => {
  const [kept, deleted, young] = [await running(), await running(), await running()];
  for (const id of [kept, deleted, young]) await add(id, { modelCalls: 1 });
  const { kysely } = database.db;
  await unused([kept, deleted]);
  await kysely.deleteFrom('executions').where('id', 'in', [deleted, young]).execute();
  expect(await add(deleted, { modelCalls: 1 })).toBeUndefined();
  await new ExpiredRowRepository(kysely).deleteAiUsages();
  expect(await usagesOf([kept, deleted, young])).toEqual([kept, young].sort());
  expect(await new ExecutionRepository(database.db).get(kept, new Access('all'))).toMatchObject({ status: 'running' });
});

test('a search for rows to delete reads one batch, and the next search continues after that', async () => {
  const { kysely } = database.db;
  await kysely.deleteFrom('ai_usages').execute();
  const ids = [await running(), await running(), await running(), await running(), await running()];
  for (const id of ids) await add(id, { modelCalls: 1 });
  await unused(ids);
  const [first, last] = [ids[0] as ExecutionId, ids[4] as ExecutionId];
  await kysely.deleteFrom('executions').where('id', '=', last).execute();
  const expired = new ExpiredRowRepository(kysely, { batch: 2 });
  const passes = [];
  for (let search = 0; search < 3; search += 1) passes.push([await expired.deleteAiUsages(), await usagesOf([last])]);
  expect(passes).toEqual([
    [true, [last]],
    [true, [last]],
    [false, []],
  ]);
  await kysely.deleteFrom('executions').where('id', '=', first).execute();
  expect([await expired.deleteAiUsages(), await usagesOf([first])]).toEqual([true, []]);
});
