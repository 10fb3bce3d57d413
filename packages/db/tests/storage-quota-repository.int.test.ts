import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { ExecutionRecorder, ExecutionRepository, type NewNodeRun, StorageQuotaRepository, WorkerRepository } from '@sluice/db';
import { type ExecutionId, randomId } from '@sluice/domain';
import { type TestDatabase, testDatabase } from '@sluice/test-support';
import { sql } from 'kysely';
import { referenceFiles } from '../src/executions/storage/binary-repository.ts';
import { anExecution, aStoredWorkflow, type StoredWorkflow, startExecutions } from './a-workflow.ts';

let database: TestDatabase;
let quota: StorageQuotaRepository;
let workflow: StoredWorkflow;
let recorder: ExecutionRecorder;
const workerId = randomId();

beforeEach(async () => {
  database = await testDatabase();
  quota = new StorageQuotaRepository(database.db.kysely, { maxBytes: 1_000, maxAgeMs: 0 });
  workflow = await aStoredWorkflow(database.db);
  recorder = new ExecutionRecorder(database.db, () => workerId);
  await new WorkerRepository(database.db).register({ id: workerId, hostname: 'here', pid: 1, concurrency: 1 }, 600_000);
});
afterEach(() => database.drop());

const items = [{ json: { text: 'x'.repeat(100) } }];
const start = async () => {
  const input = { trigger: { node: 'Start', output: 0, items } };
  const [id] = await startExecutions(database.db, [anExecution(workflow, { input })]);
  return id as ExecutionId;
};
const aRun = (executionId: ExecutionId, seq: number): NewNodeRun => ({
  executionId,
  attempt: 1,
  seq,
  nodeName: 'A',
  runIndex: seq,
  failed: false,
  startTime: 1,
  executionTime: 1,
  json: JSON.stringify({ text: 'y'.repeat(300) }),
});
/** Recorded usage of the project, with and without pending changes. */
async function noted(projectId = workflow.projectId): Promise<number> {
  const { rows } = await sql<{ bytes: string }>`SELECT coalesce(sum(bytes), 0) AS bytes FROM (
    SELECT project_id, bytes FROM project_usage UNION ALL SELECT project_id, bytes FROM project_usage_changes) u
    WHERE project_id = ${projectId}`.execute(database.db.kysely);
  return Number(rows[0]?.bytes);
}
/** Stored bytes, read from the tables of the data. */
async function stored(projectId = workflow.projectId): Promise<number> {
  const { rows } = await sql<{ bytes: string }>`SELECT coalesce(sum(
      coalesce((SELECT sum(octet_length(data)) FROM node_runs n WHERE n.execution_id = e.id), 0)
      + coalesce((SELECT sum(greatest(size, 4096)) FROM binary_data b WHERE b.execution_id = e.id), 0)
      + coalesce((SELECT octet_length(data) FROM execution_inputs i WHERE i.execution_id = e.id), 0)), 0) AS bytes
    FROM executions e WHERE e.project_id = ${projectId}`.execute(database.db.kysely);
  return Number(rows[0]?.bytes);
}

test('an execution counts from its start, and once with all its data after it has ended, even if its end is written repeatedly', async () => {
  const id = await start();
  expect([await noted(), await noted()]).toEqual([await stored(), await stored()]);
  await recorder.claim({ executionId: id, attempt: 1 });
  await recorder.append([aRun(id, 0)]);
  await sql`INSERT INTO binary_data (id, execution_id, mime_type, size) VALUES ('f', ${id}, 'text/plain', 10000)`.execute(
    database.db.kysely,
  );
  const ending = { executionId: id, attempt: 1, status: 'success', retryOf: null, error: null, runs: [aRun(id, 1)] } as const;
  expect([await recorder.finish(ending), await recorder.finish(ending)]).toEqual([true, true]);
  expect(await noted()).toBe(await stored());
  expect(await noted()).toBeGreaterThan(10_600);
});

test('an execution that ends without its worker counts as well', async () => {
  const [crashed, canceled] = [await start(), await start()];
  for (const id of [crashed, canceled]) {
    await recorder.claim({ executionId: id, attempt: 1 });
    await recorder.append([aRun(id, 0)]);
  }
  await new WorkerRepository(database.db).crashForgotten(workerId, [{ executionId: crashed, attempt: 1 }]);
  await sql`UPDATE executions SET status = 'canceled', stopped_at = now() WHERE id = ${canceled}`.execute(database.db.kysely);
  expect(await noted()).toBe(await stored());
  expect(await noted()).toBeGreaterThan(800);
});

test.each(['at its start', 'at its stop'])(
  'a queued execution that is stopped counts with its input and its files, added %s',
  async (when) => {
    const { kysely } = database.db;
    const id = await start();
    await referenceFiles(kysely, [
      { id: 'f', executionId: id, fileName: null, mimeType: 'text/plain', size: 10_000 },
      { id: 'g', executionId: id, fileName: null, mimeType: 'text/plain', size: 1 },
    ]);
    expect(await noted()).toBe(await stored());
    if (when === 'at its stop') await sql`UPDATE executions SET stored_bytes = 0 WHERE id = ${id}`.execute(kysely);
    await sql`UPDATE executions SET status = 'canceled', stopped_at = now() WHERE id = ${id}`.execute(kysely);
    expect(await noted()).toBe(await stored());
    expect(await noted()).toBeGreaterThan(14_096);
  },
);

test('deleted executions no longer count, and moved executions count toward the other project', async () => {
  const [first, second] = [await start(), await start()];
  for (const executionId of [first, second]) {
    await recorder.claim({ executionId, attempt: 1 });
    await recorder.finish({
      executionId,
      attempt: 1,
      status: 'success',
      retryOf: null,
      error: null,
      runs: [aRun(executionId, 0)],
    });
  }
  await quota.addUp();
  await new ExecutionRepository(database.db).deleteMany([first], () => undefined);
  expect([await noted(), await noted()]).toEqual([await stored(), expect.any(Number)]);
  const other = await aStoredWorkflow(database.db);
  await sql`UPDATE executions SET project_id = ${other.projectId} WHERE id = ${second}`.execute(database.db.kysely);
  expect([await noted(), await noted(other.projectId)]).toEqual([0, await stored(other.projectId)]);
  await sql`DELETE FROM workflows WHERE id = ${workflow.workflowId}`.execute(database.db.kysely);
  expect(await noted(other.projectId)).toBe(0);
});

test('a project at its quota has no space before or after its changes are summed up, and has space again after a deletion', async () => {
  const ids = [await start(), await start(), await start()];
  await quota.read();
  expect(() => quota.assertCapacity(workflow.projectId)).not.toThrow();
  for (const executionId of ids) {
    await recorder.claim({ executionId, attempt: 1 });
    await recorder.finish({
      executionId,
      attempt: 1,
      status: 'success',
      retryOf: null,
      error: null,
      runs: [aRun(executionId, 0)],
    });
  }
  for (const step of [async () => undefined, () => Promise.all([quota.addUp(), quota.addUp()])]) {
    await step();
    await quota.read();
    expect(() => quota.assertCapacity(workflow.projectId)).toThrow(expect.objectContaining({ code: 'STORAGE_QUOTA_EXCEEDED' }));
    await expect(quota.assertCapacityFor(workflow.workflowId)).rejects.toMatchObject({ code: 'STORAGE_QUOTA_EXCEEDED' });
  }
  await sql`DELETE FROM executions WHERE id = ANY (${ids.slice(1)}::bigint[])`.execute(database.db.kysely);
  await quota.read();
  expect(() => quota.assertCapacity(workflow.projectId)).not.toThrow();
});
