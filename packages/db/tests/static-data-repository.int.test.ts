import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  Access,
  DiscardedExecutionRepository,
  type Ending,
  ExecutionRecorder,
  ExecutionRepository,
  StaticDataRepository,
  WorkerRepository,
} from '@sluice/db';
import { type JsonObject, randomId } from '@sluice/domain';
import { eventually, testDatabase } from '@sluice/test-support';
import { sql } from 'kysely';
import { anExecution, aStoredWorkflow, type StoredWorkflow, startExecutions } from './a-workflow.ts';
import { isLockAwaited } from './is-lock-awaited.ts';

let workflow: StoredWorkflow;
const workerId = randomId();

const database = await testDatabase();
const staticData = new StaticDataRepository(database.db.kysely);
const recorder = new ExecutionRecorder(database.db, () => workerId);
await new WorkerRepository(database.db).register({ id: workerId, hostname: 'here', pid: 1, concurrency: 1 }, 60_000);
beforeEach(async () => {
  workflow = await aStoredWorkflow(database.db);
});
afterAll(() => database.drop());

async function aRunningExecution() {
  const [executionId = ''] = await startExecutions(database.db, [anExecution(workflow)]);
  await recorder.claim({ executionId, attempt: 1 });
  return { executionId, attempt: 1, workflowId: workflow.workflowId };
}
const end = (ref: { executionId: string; attempt: number }, ending: Partial<Ending> = {}) =>
  recorder.finish({ ...ref, status: 'success', retryOf: null, error: null, ...ending });

describe('static data', () => {
  test('has all changes of concurrent executions to different parts', async () => {
    const parts: JsonObject[] = [{ global: { n: 1 } }, { 'node:A': { text: '\u0000' } }, { 'node:B': {} }];
    const runs = await Promise.all(parts.map(() => aRunningExecution()));
    await Promise.all(runs.map((run, i) => staticData.save(run, workerId, parts[i] ?? {})));
    expect(await staticData.read(workflow.workflowId)).toEqual({
      global: { n: 1 },
      'node:A': { text: '\u0000' },
      'node:B': {},
    });
  });

  test('has the last write to each part', async () => {
    const run = await aRunningExecution();
    for (const n of [1, 2]) expect(await staticData.save(run, workerId, { global: { n } })).toBe(true);
    expect(await staticData.read(workflow.workflowId)).toEqual({ global: { n: 2 } });
  });

  test('that is written again because a reply was lost does not replace a later write', async () => {
    const [run, later] = [await aRunningExecution(), await aRunningExecution()];
    const write = {};
    expect(await staticData.save(run, workerId, { global: { n: 1 } }, write)).toBe(true);
    await staticData.save(later, workerId, { global: { n: 2 } });
    expect(await staticData.save(run, workerId, { global: { n: 1 } }, write)).toBe(true);
    expect(await staticData.read(workflow.workflowId)).toEqual({ global: { n: 2 } });
  });

  test('is not written by a worker that no longer owns the execution', async () => {
    const run = await aRunningExecution();
    expect(await staticData.save(run, randomId(), { global: {} })).toBe(false);
    expect(await staticData.save({ ...run, attempt: 2 }, workerId, { global: {} })).toBe(false);
    await end(run);
    expect(await staticData.save(run, workerId, { global: {} })).toBe(false);
    expect(await staticData.read(workflow.workflowId)).toBeNull();
  });

  test('is not written for an execution that is stopped while the write waits for another write', async () => {
    const run = await aRunningExecution();
    let keeping: Promise<boolean> = Promise.resolve(true);
    await database.db.kysely.transaction().execute(async (tx) => {
      await new StaticDataRepository(tx).saveShared(run.workflowId, { n: 1 });
      keeping = staticData.save(run, workerId, { 'node:A': {} });
      await eventually(() => isLockAwaited(database.db));
      await new ExecutionRepository(database.db).cancel(run.executionId, new Access('all'));
    });
    expect(await keeping).toBe(false);
    expect(await staticData.read(run.workflowId)).toEqual({ global: { n: 1 } });
  });

  test.each(['manual', 'trigger'] as const)('of a retry is stored like that of its original with mode %s', async (mode) => {
    const executions = new ExecutionRepository(database.db);
    let [originalId = ''] = await startExecutions(database.db, [{ ...anExecution(workflow), mode }]);
    for (let retries = 1; retries <= 2; retries += 1) {
      await recorder.claim({ executionId: originalId, attempt: 1 });
      await end({ executionId: originalId, attempt: 1 }, { status: 'error', error: { message: 'no' } });
      const original = await executions.get(originalId, new Access('all'));
      const retry = {
        original,
        access: new Access('all'),
        graphHash: workflow.graphHash,
        versionId: null,
        userId: null,
        keep: 'none' as const,
      };
      originalId = (await executions.retry(retry)).id;
    }
    await recorder.claim({ executionId: originalId, attempt: 1 });
    const ref = { executionId: originalId, attempt: 1, workflowId: workflow.workflowId };
    expect(await staticData.save(ref, workerId, { global: { n: 1 } })).toBe(true);
    expect(await staticData.read(workflow.workflowId)).toEqual(mode === 'manual' ? null : { global: { n: 1 } });
  });

  test('has a size limit', async () => {
    const run = await aRunningExecution();
    const large = { text: 'x'.repeat(3_000_000) };
    await staticData.save(run, workerId, { 'node:A': large });
    await expect(staticData.save(run, workerId, { 'node:B': large })).rejects.toMatchObject({ code: 'STATIC_DATA_TOO_LARGE' });
  });

  test('of a deleted workflow is empty', async () => {
    expect(await staticData.read(randomId())).toBeNull();
  });
});

test('an execution that its workflow does not keep is available for a while after its end, then deleted', async () => {
  const { kysely } = database.db;
  const [discarded, kept] = [await aRunningExecution(), await aRunningExecution()];
  await end(discarded, { discard: true });
  await end(kept);
  const remaining = async () => {
    while (await new DiscardedExecutionRepository(database.db.kysely).deleteSome());
    const rows = await kysely.selectFrom('executions').select('id').where('workflow_id', '=', workflow.workflowId).execute();
    return rows.map(({ id }) => id).toSorted();
  };
  expect(await remaining()).toEqual([discarded.executionId, kept.executionId].toSorted());
  await sql`UPDATE executions SET discard_at = discard_at - interval '11 minutes'`.execute(kysely);
  expect(await remaining()).toEqual([kept.executionId]);
});
