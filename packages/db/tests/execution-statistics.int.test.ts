import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Access, type ExecutionStatistics, ExecutionStatisticsRepository, StatisticsRollUpRepository } from '@sluice/db';
import type { ExecutionId } from '@sluice/domain';
import { eventually, type TestDatabase, testDatabase } from '@sluice/test-support';
import { sql } from 'kysely';
import { anExecution, aStoredWorkflow, type StoredWorkflow, startExecutions } from './a-workflow.ts';
import { isLockAwaited } from './is-lock-awaited.ts';

let database: TestDatabase;
let workflow: StoredWorkflow;
let statistics: ExecutionStatisticsRepository;
let rollUp: StatisticsRollUpRepository;

beforeEach(async () => {
  database = await testDatabase();
  workflow = await aStoredWorkflow(database.db);
  statistics = new ExecutionStatisticsRepository(database.db.kysely);
  rollUp = new StatisticsRollUpRepository(database.db.kysely, { batch: 3 });
});
afterEach(() => database.drop());

const everyone = new Access('all');
const lastHour = { grainS: 60, bucketS: 60, buckets: 60 };
const lastMonth = { grainS: 7_200, bucketS: 28_800, buckets: 90 };

const start = (count: number, of = workflow) =>
  startExecutions(
    database.db,
    Array.from({ length: count }, () => anExecution(of)),
  );

interface State {
  status?: string;
  minutes?: number;
  ms?: number;
}

/** Backdates executions to have been created this many minutes ago and to have ended after `ms`. */
async function become(ids: readonly ExecutionId[], { status = 'success', minutes = 5, ms = 1_000 }: State = {}): Promise<void> {
  const live = ['new', 'running', 'waiting'].includes(status);
  await sql`ALTER TABLE executions DISABLE TRIGGER USER`.execute(database.db.kysely);
  await sql`UPDATE executions SET status = ${status}, created_at = least(created_at, now() - make_interval(mins => ${minutes})),
    started_at = ${status === 'new' ? null : sql`now() - make_interval(mins => ${minutes}, secs => ${ms / 1_000})`},
    stopped_at = ${live ? null : sql`now() - make_interval(mins => ${minutes})`} WHERE id = ANY (${ids}::bigint[])`.execute(
    database.db.kysely,
  );
  await sql`ALTER TABLE executions ENABLE TRIGGER USER`.execute(database.db.kysely);
}

async function rollUpAll(): Promise<void> {
  while (await rollUp.rollUp(0));
}
const read = (period = lastHour, filter = {}, access = everyone) => statistics.read(filter, access, period);
const ended = ({ total: { succeeded, failed, canceled } }: ExecutionStatistics) => [succeeded, failed, canceled];

describe('statistics of executions', () => {
  test('are the same before and after the roll-up, at every granularity', async () => {
    await become(await start(6));
    await become(await start(2), { status: 'error', ms: 10_000 });
    await become(await start(1), { status: 'crashed' });
    await become(await start(1), { status: 'canceled', minutes: 30 });
    await start(1);
    const before = await read();
    expect(ended(before)).toEqual([6, 3, 1]);
    await rollUpAll();
    const { buckets: _, ...after } = await read(); // the current minute may have changed
    expect(before).toMatchObject(after);
    expect(ended(await read(lastMonth))).toEqual([6, 3, 1]);
    const rows = await database.db.kysely.selectFrom('execution_statistics').select(['grain_s', 'count']).execute();
    for (const grain of [60, 900, 7_200])
      expect(rows.filter(({ grain_s }) => grain_s === grain).reduce((sum, { count }) => sum + count, 0)).toBe(10);
  });

  test('count an execution in the bucket of its end, with the duration within 5%', async () => {
    await become(await start(19), { minutes: 30, ms: 100 });
    await become(await start(1), { minutes: 30, ms: 60_000 });
    const { buckets, total } = await read();
    expect(buckets).toHaveLength(60);
    const filled = buckets.filter(({ succeeded }) => succeeded > 0);
    expect(filled).toHaveLength(1);
    expect(Date.now() - (filled[0]?.at.getTime() ?? 0)).toBeGreaterThan(29 * 60_000);
    expect(total).toMatchObject({ p50Ms: expect.any(Number), p95Ms: expect.any(Number), p99Ms: expect.any(Number) });
    expect(Math.abs((total.p95Ms ?? 0) - 100)).toBeLessThanOrEqual(5);
    expect(Math.abs((total.p99Ms ?? 0) - 60_000)).toBeLessThanOrEqual(3_000);
  });

  test('count an execution that ends long after its start once, when it ends', async () => {
    const ids = await start(7);
    await become(ids, { status: 'waiting' });
    await rollUpAll();
    expect(ended(await read())).toEqual([0, 0, 0]);
    await become(ids, { minutes: 1 });
    expect(ended(await read())).toEqual([7, 0, 0]);
    for (let round = 0; round < 4; round += 1) await rollUp.rollUp(0);
    expect(ended(await read())).toEqual([7, 0, 0]);
    expect(await database.db.kysely.selectFrom('statistics_pending').selectAll().execute()).toEqual([]);
  });

  test('leave very recent executions for later, so that no execution with a lower ID is missed', async () => {
    const [old = '', young = ''] = await start(2);
    await become([old]);
    await become([young], { minutes: 0 });
    await rollUpAll();
    const { last_id } = await database.db.kysely.selectFrom('statistics_progress').selectAll().executeTakeFirstOrThrow();
    expect(last_id).toBe(old);
    expect(ended(await read())).toEqual([2, 0, 0]);
  });

  test('are counted once by a pass that started before another pass ended', async () => {
    const { kysely } = database.db;
    await become(await start(2), { status: 'waiting' });
    await rollUpAll();
    await sql`UPDATE executions SET status = 'canceled', stopped_at = now()`.execute(kysely);
    // The first pass waits between its snapshot and its lock when it reads the progress.
    await sql`CREATE SEQUENCE reads`.execute(kysely);
    await sql`CREATE FUNCTION waits_once() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
      IF nextval('reads') = 1 THEN PERFORM pg_advisory_xact_lock(1); END IF; RETURN true; END $$`.execute(kysely);
    await sql`ALTER TABLE statistics_progress RENAME TO progress`.execute(kysely);
    await sql`CREATE VIEW statistics_progress AS SELECT * FROM progress WHERE waits_once()`.execute(kysely);
    let early: Promise<boolean> | undefined;
    await kysely.transaction().execute(async (tx) => {
      await sql`SELECT pg_advisory_xact_lock(1)`.execute(tx);
      early = rollUp.rollUp(0);
      await eventually(() => isLockAwaited(database.db));
      await rollUp.rollUp(0);
    });
    await early;
    expect(ended(await read())).toEqual([0, 0, 2]);
  });

  test('are counted once by concurrent passes, and no pass follows another too soon', async () => {
    await become(await start(30));
    await Promise.all(Array.from({ length: 6 }, rollUpAll));
    await rollUpAll();
    expect(ended(await read())).toEqual([30, 0, 0]);
    await become(await start(3));
    expect(await rollUp.rollUp(60_000)).toBe(false);
    const rows = await database.db.kysely
      .selectFrom('execution_statistics')
      .select('count')
      .where('grain_s', '=', 60)
      .execute();
    expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(30);
  });

  test('survive the deletion of executions, move with the workflow, and are deleted when they are old', async () => {
    await become(await start(2));
    await rollUpAll();
    await sql`DELETE FROM executions`.execute(database.db.kysely);
    expect(ended(await read())).toEqual([2, 0, 0]);
    expect(await rollUp.deleteOld()).toBe(false);
    await sql`UPDATE execution_statistics SET at = at - interval '8 hours'`.execute(database.db.kysely);
    expect(await rollUp.deleteOld()).toBe(true);
    const grains = await database.db.kysely.selectFrom('execution_statistics').select('grain_s').execute();
    expect(grains.map(({ grain_s }) => grain_s).sort()).toEqual([7_200, 900]);
    await sql`DELETE FROM workflows`.execute(database.db.kysely);
    expect(await database.db.kysely.selectFrom('execution_statistics').selectAll().execute()).toEqual([]);
  });

  test('rank workflows by duration and by failures, and show only those of the given projects', async () => {
    const other = await aStoredWorkflow(database.db);
    await become(await start(3), { ms: 5_000 });
    await become(await start(2, other), { status: 'error', ms: 10 });
    await rollUpAll();
    const all = await read();
    expect(all.slowest.map(({ workflowId }) => workflowId)).toEqual([workflow.workflowId, other.workflowId]);
    expect(all.mostFailing).toEqual([expect.objectContaining({ workflowId: other.workflowId, failed: 2, succeeded: 0 })]);
    const member = new Access([other.projectId]);
    expect(ended(await read(lastHour, {}, member))).toEqual([0, 2, 0]);
    expect(ended(await read(lastHour, { workflowId: workflow.workflowId }, member))).toEqual([0, 0, 0]);
    expect(ended(await read(lastHour, { projectId: workflow.projectId }, member))).toEqual([0, 0, 0]);
    expect(ended(await read(lastHour, { projectId: workflow.projectId }))).toEqual([3, 0, 0]);
    expect(ended(await read(lastHour, { workflowId: other.workflowId }))).toEqual([0, 2, 0]);
  });

  test('count executions that have not ended', async () => {
    const other = await aStoredWorkflow(database.db);
    await start(3);
    await become(await start(2, other), { status: 'running' });
    expect(await statistics.readLive({}, everyone)).toEqual({
      queued: 3,
      running: 2,
      waiting: 0,
      oldestQueuedAt: expect.any(Date),
    });
    const ofOther = { queued: 0, running: 2, waiting: 0, oldestQueuedAt: null };
    expect(await statistics.readLive({}, new Access([other.projectId]))).toEqual(ofOther);
    expect(await statistics.readLive({ workflowId: other.workflowId }, everyone)).toEqual(ofOther);
  });
});
