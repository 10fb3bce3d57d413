import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Access, ExecutionRepository, RunDataRepository } from '@sluice/db';
import { testDatabase } from '@sluice/test-support';
import { sql } from 'kysely';
import { aNodeRun, aRegisteredWorker } from './a-worker.ts';
import { anExecution, aStoredWorkflow, type StoredWorkflow, startExecutions } from './a-workflow.ts';

let workflow: StoredWorkflow;
const all = new Access('all');

const database = await testDatabase();
const executions = new ExecutionRepository(database.db);
beforeEach(async () => {
  workflow = await aStoredWorkflow(database.db);
});
afterAll(() => database.drop());

const aWorker = () => aRegisteredWorker(database.db);
const start = async (changes = {}) => (await startExecutions(database.db, [anExecution(workflow, changes)]))[0] as string;

describe('an execution whose graph only computes', () => {
  const startComputing = async () => ({ executionId: await start(), attempt: 1, graphHash: workflow.graphHash });
  const success = { status: 'success', retryOf: null, error: null } as const;

  test('runs and ends unclaimed', async () => {
    const ref = await startComputing();
    const { recorder } = await aWorker();
    const claimed = await recorder.runUnclaimed(ref);
    expect(claimed).toMatchObject({ executionId: ref.executionId, attempt: 1, unclaimedSince: expect.any(String) });
    expect(await executions.get(ref.executionId, all)).toMatchObject({ status: 'new', startedAt: null });

    const ending = {
      ...ref,
      ...success,
      runs: [aNodeRun(ref.executionId, 0)],
      unclaimedSince: claimed?.unclaimedSince as string,
    };
    expect(await recorder.finish(ending)).toBe(true);
    const ended = await executions.get(ref.executionId, all);
    expect(ended).toMatchObject({ status: 'success', startedAt: new Date(ending.unclaimedSince) });
    expect(await recorder.finish(ending)).toBe(true);
    expect(await executions.get(ref.executionId, all)).toEqual(ended);
    expect((await new RunDataRepository(database.db).readNodeRuns(ref.executionId)).records).toHaveLength(1);
  });

  test('ends once, although two workers run it', async () => {
    const ref = await startComputing();
    const rivals = [await aWorker(), await aWorker()];
    const ended = rivals.map(async ({ recorder }) =>
      recorder.finish({ ...success, ...((await recorder.runUnclaimed(ref)) ?? ref) }),
    );
    expect((await Promise.all(ended)).sort()).toEqual([false, true]);
  });

  test('can be claimed while it runs, and started when its run did', async () => {
    const ref = await startComputing();
    const { recorder } = await aWorker();
    const unclaimed = await recorder.runUnclaimed(ref);
    expect(await recorder.append([aNodeRun(ref.executionId, 0)])).toBe(false);
    expect(await recorder.claim(unclaimed ?? ref)).toMatchObject({ attempt: 1 });
    expect(await executions.get(ref.executionId, all)).toMatchObject({
      status: 'running',
      startedAt: new Date(unclaimed?.unclaimedSince as string),
    });
    expect(await recorder.append([aNodeRun(ref.executionId, 0)])).toBe(true);
    expect(await recorder.finish({ ...ref, ...success })).toBe(true);
  });

  test('can be stopped while it runs unclaimed', async () => {
    const ref = await startComputing();
    const { recorder } = await aWorker();
    const unclaimed = (await recorder.runUnclaimed(ref)) ?? ref;
    await executions.cancel(ref.executionId, all);
    expect(await recorder.finish({ ...success, ...unclaimed })).toBe(false);
    expect(await recorder.claim(unclaimed)).toBeUndefined();
    expect(await executions.get(ref.executionId, all)).toMatchObject({ status: 'canceled' });
  });

  test('belongs to the worker that has claimed it', async () => {
    const ref = await startComputing();
    const [computing, other] = [await aWorker(), await aWorker()];
    const unclaimed = (await computing.recorder.runUnclaimed(ref)) ?? ref;
    expect(await other.recorder.claim(ref)).toMatchObject({ attempt: 1 });
    expect(await computing.recorder.claim(unclaimed)).toBeUndefined();
    expect(await computing.recorder.finish({ ...success, ...unclaimed })).toBe(false);
    expect(await other.recorder.finish({ ...ref, ...success })).toBe(true);
  });

  test('is claimed before it runs if its first job may have been lost with a worker, or its graph is another one', async () => {
    const ref = await startComputing();
    await sql`UPDATE executions SET created_at = now() - interval '6 seconds' WHERE id = ${ref.executionId}`.execute(
      database.db.kysely,
    );
    const { recorder } = await aWorker();
    expect(await recorder.runUnclaimed(ref)).toBeUndefined();
    expect(await recorder.runUnclaimed({ ...(await startComputing()), graphHash: 'of another version' })).toBeUndefined();
  });

  test('has its deadline from the start of its run', async () => {
    workflow = await aStoredWorkflow(database.db, { executionTimeout: 500 });
    const { recorder } = await aWorker();
    const { remainingMs } = (await recorder.runUnclaimed(await startComputing())) ?? {};
    expect(remainingMs).toBeGreaterThan(400_000);
  });
});
