import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ExecutionId, randomId } from '@sluice/domain';
import { type TestDatabase, testDatabase } from '@sluice/test-support';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import type { Database } from '../src/connection/database.ts';
import { ExecutionRecorder } from '../src/executions/attempts/execution-recorder.ts';
import { LimitedExecutionRepository } from '../src/limits/limited-execution-repository.ts';
import type { Tables } from '../src/tables/tables.ts';
import { WorkerRepository } from '../src/workers/worker-repository.ts';
import { anExecution, aStoredWorkflow, type StoredWorkflow, startExecutions } from './a-workflow.ts';
import { type PlanStep, planSteps } from './query-plan.ts';

const blocked = 10_000;

let database: TestDatabase;
let pool: pg.Pool;
let workflow: StoredWorkflow;
let limitId: number;
const workerId = randomId();
/** Statements that the repositories have sent, in order. */
let sent: { text: string; values: readonly unknown[] }[] = [];
let db: Database;

/**
 * A workflow with a limit of five, which blocks many executions; five others are running, and many
 * more have ended.
 */
beforeAll(async () => {
  database = await testDatabase();
  pool = new pg.Pool({ connectionString: database.url });
  pool.on('error', () => {});
  const kysely = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => void sent.push({ text: query.sql, values: query.parameters }),
  });
  db = {
    ...database.db,
    kysely,
    query(statement) {
      sent.push(statement);
      return database.db.query(statement);
    },
  };
  await new WorkerRepository(database.db).register({ id: workerId, hostname: 'here', pid: 1, concurrency: 1 }, 600_000);
  workflow = await aStoredWorkflow(database.db);
  const limit = { workflow_id: workflow.workflowId, max_running: 5 };
  const row = await database.db.kysely.insertInto('execution_limits').values(limit).returning('id').executeTakeFirstOrThrow();
  limitId = row.id;
  await sql`INSERT INTO executions (workflow_id, project_id, graph_hash, status, mode, worker_id, queued_at, stopped_at, limit_ids)
    SELECT ${workflow.workflowId}, ${workflow.projectId}, ${workflow.graphHash},
      CASE WHEN n <= 20000 THEN 'success' WHEN n <= 20005 THEN 'running' ELSE 'new' END, 'trigger',
      CASE WHEN n <= 20005 THEN ${workerId} END, CASE WHEN n <= 20005 THEN now() ELSE 'infinity' END,
      CASE WHEN n <= 20000 THEN now() END, ARRAY[${row.id}::integer]
    FROM generate_series(1, ${20_005 + blocked}::int) AS n`.execute(database.db.kysely);
  await sql`VACUUM ANALYZE executions`.execute(database.db.kysely);
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** Rows of `executions` that the statements of `work` read, by statement. */
async function readBy(work: () => Promise<unknown>): Promise<number[]> {
  sent = [];
  await work();
  const client = await pool.connect();
  const counts: number[] = [];
  for (const { text, values } of sent.filter(({ text }) => !/^(begin|commit|rollback)/i.test(text))) {
    await client.query('BEGIN');
    const { rows } = await client.query(`EXPLAIN (ANALYZE, FORMAT json) ${text}`, [...values]);
    await client.query('ROLLBACK');
    const scans = planSteps(rows).filter((step) => step['Relation Name'] === 'executions' && /Scan$/.test(step['Node Type']));
    const perLoop = (step: PlanStep) =>
      step['Actual Rows'] + (step['Rows Removed by Filter'] ?? 0) + (step['Rows Removed by Index Recheck'] ?? 0);
    counts.push(scans.reduce((sum, step) => sum + perLoop(step) * step['Actual Loops'], 0));
  }
  client.release();
  return counts;
}

const few = 60;

test('executions that a limit blocks add no cost to other claims', async () => {
  const [id] = (await startExecutions(database.db, [anExecution(await aStoredWorkflow(database.db))])) as [ExecutionId];
  const recorder = new ExecutionRecorder(db, () => workerId);
  let claimed: unknown;
  const [rowsRead = Number.NaN] = await readBy(async () => {
    claimed = await recorder.claim({ executionId: id, attempt: 1 });
  });
  expect(claimed).toBeDefined();
  expect(rowsRead).toBeLessThanOrEqual(2);
});

test('a claim, an end, and a check read no more rows than they change and count', async () => {
  const limited = new LimitedExecutionRepository(db, () => workerId);
  const [id] = (await startExecutions(database.db, [anExecution(workflow)])) as [ExecutionId];
  const claim = await readBy(() => limited.claim({ executionId: id, attempt: 1 }));
  expect(claim.length).toBeGreaterThanOrEqual(4);
  expect(Math.max(...claim)).toBeLessThanOrEqual(few);
  await sql`UPDATE executions SET status = 'error', stopped_at = now() WHERE status = 'running'`.execute(database.db.kysely);
  let unblocked: unknown[] = [];
  const unblocking = await readBy(async () => {
    ({ unblocked } = await limited.unblock([limitId]));
  });
  expect(unblocked).toHaveLength(5);
  expect(Math.max(...unblocking)).toBeLessThanOrEqual(few);
  expect(Math.max(...(await readBy(() => limited.unblock())))).toBeLessThanOrEqual(few);
  expect(Math.max(...(await readBy(() => limited.recount())))).toBeLessThanOrEqual(few);
});
