import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { ExecutionRetentionRepository, type RetentionRules } from '@sluice/db';
import type { ExecutionId } from '@sluice/domain';
import { type TestDatabase, testDatabase } from '@sluice/test-support';
import { sql } from 'kysely';
import { anExecution, aStoredWorkflow, type StoredWorkflow, startExecutions } from './a-workflow.ts';

let database: TestDatabase;
let workflow: StoredWorkflow;

beforeEach(async () => {
  database = await testDatabase();
  workflow = await aStoredWorkflow(database.db);
});
afterEach(() => database.drop());

const fourteenDays = { success: 14, error: 14, canceled: 14, crashed: 14 };
const keepForever = { success: 0, error: 0, canceled: 0, crashed: 0 };

const start = (count: number, of = workflow) =>
  startExecutions(
    database.db,
    Array.from({ length: count }, () => anExecution(of)),
  );
/** Backdates the creation and the end of executions by this many days. */
async function end(
  ids: readonly ExecutionId[],
  { status = 'success', days = 20, createdDays = days }: { status?: string; days?: number; createdDays?: number } = {},
): Promise<void> {
  const stoppedAt = ['new', 'running', 'waiting'].includes(status) ? null : sql`now() - make_interval(days => ${days})`;
  await sql`ALTER TABLE executions DISABLE TRIGGER USER`.execute(database.db.kysely);
  await sql`UPDATE executions SET status = ${status}, stopped_at = ${stoppedAt}, created_at = now() - make_interval(days => ${createdDays})
    WHERE id = ANY (${ids}::bigint[])`.execute(database.db.kysely);
  await sql`ALTER TABLE executions ENABLE TRIGGER USER`.execute(database.db.kysely);
}
const remaining = async (): Promise<ExecutionId[]> =>
  (await database.db.kysely.selectFrom('executions').select('id').orderBy('id').execute()).map(({ id }) => id);

async function prune(rules: Partial<RetentionRules>, batch = 2): Promise<void> {
  const retention = new ExecutionRetentionRepository(
    database.db.kysely,
    { days: fourteenDays, maxPerProject: 0, ...rules },
    { batch },
  );
  for (const range of [...(await retention.listAged()), ...(await retention.listExcess())]) {
    let after: ExecutionId | '0' | undefined = '0';
    while (after !== undefined) after = await retention.deleteSome(range, after);
  }
}

test('ended executions are deleted after the retention time of their status, counted from their end', async () => {
  const [old, failed, young, lateEnd] = [await start(5), await start(2), await start(2), await start(1)];
  await end(old);
  await end(failed, { status: 'error' });
  await end(lateEnd, { days: 13, createdDays: 20 });
  await end(young, { days: 13 });
  await prune({ days: { ...fourteenDays, error: 30 } });
  expect(await remaining()).toEqual([...failed, ...young, ...lateEnd]);
});

test('annotated, waiting, running, and new executions are kept, and so are sub-executions of unfinished executions', async () => {
  const [annotated, waiting, running, fresh, called, gone] = await start(6);
  await end([annotated, called, gone] as ExecutionId[]);
  await end([waiting as ExecutionId], { status: 'waiting' });
  await end([running as ExecutionId], { status: 'running' });
  await end([fresh as ExecutionId], { status: 'new' });
  await sql`INSERT INTO execution_annotations (execution_id, vote) VALUES (${annotated}, 'up')`.execute(database.db.kysely);
  await sql`UPDATE executions SET parent_execution_id = ${running} WHERE id = ${called}`.execute(database.db.kysely);
  await prune({ maxPerProject: 1 });
  expect(await remaining()).toEqual([annotated, waiting, running, fresh, called]);
});

test('a failed execution is kept until its error workflow has started, even if it ends above the maximum', async () => {
  const [failed, ...newer] = await start(3);
  await end([failed as ExecutionId], { status: 'error', days: 0 });
  await sql`INSERT INTO error_starts (execution_id, error_workflow_id) VALUES (${failed}, 'e')`.execute(database.db.kysely);
  await prune({ maxPerProject: 2 });
  expect(await remaining()).toEqual([failed, ...newer]);
  await sql`DELETE FROM error_starts`.execute(database.db.kysely);
  await prune({ maxPerProject: 2 });
  expect(await remaining()).toEqual(newer);
});

test('above the maximum of a project, only its own oldest ended executions are deleted', async () => {
  const other = await aStoredWorkflow(database.db);
  const [own, others] = [await start(7), await start(3, other)];
  await end([...own, ...others], { days: 1 });
  await prune({ maxPerProject: 3 });
  expect(await remaining()).toEqual([...own.slice(-3), ...others]);
});

test('with 0, any number of executions of a status is kept indefinitely', async () => {
  const ids = await start(5);
  await end(ids, { days: 1_000 });
  await prune({ days: keepForever, maxPerProject: 2 });
  expect(await remaining()).toEqual(ids);
  await end(ids, { days: 1 });
  await prune({ maxPerProject: 0 });
  expect(await remaining()).toEqual(ids);
});

test('data is deleted with its execution, and the bytes of its files are left to the file sweeper', async () => {
  const [id] = (await start(1)) as [ExecutionId];
  await sql`INSERT INTO node_runs (execution_id, seq, node_name, run_index, failed, data) VALUES (${id}, 0, 'a', 0, false, '\\x00')`.execute(
    database.db.kysely,
  );
  await sql`INSERT INTO binary_data (id, execution_id, mime_type, size) VALUES ('file', ${id}, 'text/plain', 5)`.execute(
    database.db.kysely,
  );
  await end([id]);
  await prune({});
  expect(await database.db.kysely.selectFrom('node_runs').select('seq').execute()).toEqual([]);
  const leftovers = await database.db.kysely.selectFrom('binary_leftovers').select('binary_id').execute();
  expect(leftovers).toEqual([{ binary_id: 'file' }]);
});

test('concurrent processes delete only what is due', async () => {
  const [old, young] = [await start(20), await start(3)];
  await end(old);
  await end(young, { days: 1 });
  for (let round = 0; round < 20 && (await remaining()).length > young.length; round++)
    await Promise.all([prune({}, 3), prune({}, 3)]);
  expect(await remaining()).toEqual(young);
});
