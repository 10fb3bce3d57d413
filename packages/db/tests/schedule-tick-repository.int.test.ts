import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  Access,
  createDatabase,
  type Database,
  type DueTick,
  ExecutionRepository,
  ensureBootstrap,
  type NewTrigger,
  ScheduleTickRepository,
  type TickDecision,
  type TickPolicy,
  TriggerRepository,
  WorkerRepository,
  WorkflowRepository,
} from '@sluice/db';
import type { ScheduleTrigger } from '@sluice/domain';
import { aSmallWorkflow, eventually, testDatabase } from '@sluice/test-support';
import { sql } from 'kysely';

const all = new Access('all');
let workflowId: string;
let versionId: string;

const database = await testDatabase();
const others = [1, 2].map(() => createDatabase({ url: database.url }));
const workflows = new WorkflowRepository(database.db.kysely);
const authorId = (await ensureBootstrap(database.db.kysely, { bootstrapApiKey: null })).ownerId;
const projectId = (await database.db.kysely.selectFrom('projects').select('id').executeTakeFirstOrThrow()).id;
beforeEach(async () => {
  await database.db.kysely.deleteFrom('workflows').execute();
  const workflow = await create();
  [workflowId, versionId] = [workflow.id, workflow.versionId];
});
afterAll(async () => {
  await Promise.all(others.map((db) => db.close()));
  await database.drop();
});

const create = () => workflows.create({ projectId, graph: aSmallWorkflow(), staticData: null, meta: null, authorId }, all);

const spec = (cron = '* * * * * *'): ScheduleTrigger => ({
  kind: 'schedule',
  rules: [{ cron }],
  misfire: 'skip',
  graceMs: 0,
  overlap: 'allow',
});
const aTrigger = (changes: Partial<NewTrigger> = {}): NewTrigger => ({
  nodeName: 'Clock',
  spec: spec(),
  nextAt: new Date(Date.now() - 1_000),
  ...changes,
});
const activate = (triggers: NewTrigger[] = [aTrigger()], id = workflowId) => workflows.activate(id, all, {}, triggers);

/** Starts an execution and is due again a second later. */
const fire = ({ tick, state, nodeName }: DueTick): TickDecision => ({
  nextAt: tick + 1_000,
  state,
  start: { trigger: { node: nodeName, items: [{ json: { tick } }] } },
});
/** Is due again an hour later. */
const failed = ({ tick, now, state }: DueTick, error: unknown): TickDecision => ({
  nextAt: tick,
  retryAt: now + 3_600_000,
  state,
  error: String(error),
});
const by = (decide: (due: DueTick) => TickDecision): TickPolicy => ({ decide, fail: failed });
const ticksOf = (db: Database = database.db) => new ScheduleTickRepository(db);

async function executions(): Promise<{ id: string; tick: number; mode: string; version_id: string; status: string }[]> {
  const { rows } = await sql<{ id: string; mode: string; version_id: string; status: string; data: Buffer }>`
    SELECT e.id, e.mode, e.version_id, e.status, i.data FROM executions e JOIN execution_inputs i ON i.execution_id = e.id
    WHERE e.workflow_id = ${workflowId} ORDER BY e.id`.execute(database.db.kysely);
  return rows.map(({ data, ...row }) => ({
    ...row,
    tick: JSON.parse(data.subarray(1).toString()).trigger.items[0].json.tick as number,
  }));
}

const stored = async () => (await new TriggerRepository(database.db.kysely).list(workflowId))[0];

test('each tick starts exactly one execution, even if many processes claim ticks concurrently', async () => {
  const first = new Date(Math.floor(Date.now() / 1_000 - 200) * 1_000);
  await activate([aTrigger({ nextAt: first })]);
  const schedulers = [database.db, ...others].map(ticksOf);
  await Promise.all(
    schedulers.map(async (ticks) => {
      while (((await ticks.nextDueMs()) ?? 0) < 0) await ticks.take(10, by(fire));
    }),
  );
  const started = await executions();
  expect(started.length).toBeGreaterThanOrEqual(200);
  expect(started.map(({ tick }) => tick)).toEqual(started.map((_, i) => first.getTime() + i * 1_000));
});

test('an execution runs the active version in mode trigger and shows its trigger', async () => {
  await activate();
  const { started, projectIds, count } = await ticksOf().take(10, by(fire));
  const [execution] = await executions();
  expect([started, projectIds, count]).toEqual([[{ executionId: execution?.id, attempt: 1 }], [projectId], 1]);
  expect(execution).toMatchObject({ mode: 'trigger', status: 'new', version_id: versionId });
  expect(await stored()).toMatchObject({ lastExecutionId: execution?.id, failures: 0, lastError: null, lastSkip: null });
});

test('the sweeper finds an execution that was started but not enqueued', async () => {
  await activate();
  const { started } = await ticksOf().take(10, by(fire));
  expect(await new WorkerRepository(database.db).takeStranded(-1_000, 10)).toEqual(started);
});

test('a tick remains due if its transaction fails', async () => {
  await activate();
  const failing = ticksOf().take(
    10,
    by(() => {
      throw new Error('killed');
    }),
  );
  await expect(failing).rejects.toThrow('killed');
  expect(await executions()).toEqual([]);
  expect((await ticksOf().take(10, by(fire))).started).toHaveLength(1);
});

describe('a schedule', () => {
  test('is not claimed before its due time, which is returned', async () => {
    await activate([aTrigger({ nextAt: new Date(Date.now() + 3_600_000) })]);
    expect((await ticksOf().take(10, by(fire))).count).toBe(0);
    const ms = await ticksOf().nextDueMs();
    expect(ms).toBeGreaterThan(3_000_000);
    expect(ms).toBeLessThanOrEqual(3_600_000);
  });

  test('that failed is not claimed before its next try, which clears the failure', async () => {
    await activate();
    await ticksOf().take(
      10,
      by((due) => failed(due, 'no')),
    );
    expect(await stored()).toMatchObject({ failures: 1, lastError: 'no', retryAt: expect.any(Date) });
    expect((await ticksOf().take(10, by(fire))).count).toBe(0);
    await sql`UPDATE triggers SET retry_at = now() WHERE workflow_id = ${workflowId}`.execute(database.db.kysely);
    expect((await ticksOf().take(10, by(fire))).started).toHaveLength(1);
    expect(await stored()).toMatchObject({ failures: 0, lastError: null, retryAt: null });
  });

  test('fails if Postgres cannot store its decision, without delaying others', async () => {
    const endless = new Date(Date.now() - 5_000);
    await activate([aTrigger({ nodeName: 'endless', nextAt: endless }), aTrigger({ nodeName: 'sound' })]);
    const decide = (due: DueTick): TickDecision => ({ ...fire(due), ...(due.nodeName === 'endless' && { nextAt: 8e15 }) });
    const { count, started } = await ticksOf().take(10, by(decide));
    expect([count, started.length]).toEqual([2, 1]);
    const [first, second] = await new TriggerRepository(database.db.kysely).list(workflowId);
    expect(first).toMatchObject({
      nodeName: 'endless',
      nextAt: endless,
      failures: 1,
      lastError: expect.stringContaining('stored'),
    });
    expect(second).toMatchObject({ nodeName: 'sound', failures: 0, lastError: null });
    expect((await ticksOf().take(10, by(fire))).started).toHaveLength(1);
  });

  test('is busy while the execution that it started last has not ended', async () => {
    await activate();
    const busy: boolean[] = [];
    const note = (due: DueTick): TickDecision => {
      busy.push(due.busy);
      return { ...fire(due), nextAt: due.tick };
    };
    await ticksOf().take(1, by(note));
    await ticksOf().take(
      1,
      by((due) => ({ nextAt: note(due).nextAt, state: due.state })),
    );
    await new ExecutionRepository(database.db).cancel((await executions())[0]?.id as string, all);
    await ticksOf().take(1, by(note));
    expect(busy).toEqual([false, true, false]);
  });

  test('is busy for a process that searched for due schedules before another process started its execution', async () => {
    await activate();
    // Reads the clock slowly, after its snapshot was taken and before it locks the schedule.
    await sql`CREATE SCHEMA slow CREATE VIEW slow.none AS SELECT 1`.execute(database.db.kysely);
    await sql`CREATE FUNCTION slow.now() RETURNS timestamptz LANGUAGE plpgsql AS
      'BEGIN PERFORM pg_sleep(0.3); RETURN pg_catalog.now(); END'`.execute(database.db.kysely);
    const late = createDatabase({ url: database.url, poolSize: 1 });
    await sql`SET search_path TO slow, pg_catalog, public`.execute(late.kysely);
    const busy: boolean[] = [];
    const note = (due: DueTick): TickDecision => {
      busy.push(due.busy);
      return { ...fire(due), nextAt: due.tick + 1 };
    };
    const taking = ticksOf(late).take(1, by(note));
    await new Promise((resolve) => setTimeout(resolve, 100));
    await ticksOf().take(1, by(note));
    await taking.finally(() => late.close());
    expect(busy).toEqual([false, true]);
  });

  test('that is never due again is kept, but not claimed', async () => {
    await activate();
    await ticksOf().take(
      1,
      by((due) => ({ ...fire(due), nextAt: null })),
    );
    expect((await ticksOf().take(1, by(fire))).count).toBe(0);
    expect(await stored()).toMatchObject({ nextAt: null });
  });
});

describe('activation', () => {
  test('of another version replaces changed triggers and keeps the state of all others', async () => {
    await activate([aTrigger({ nodeName: 'kept' }), aTrigger({ nodeName: 'changed' }), aTrigger({ nodeName: 'gone' })]);
    const before = await new TriggerRepository(database.db.kysely).list(workflowId);
    const later = new Date(Date.now() + 60_000);
    await activate([
      aTrigger({ nodeName: 'kept', nextAt: later }),
      aTrigger({ nodeName: 'changed', spec: spec('0 0 9 * * *'), nextAt: later }),
      aTrigger({ nodeName: 'new', nextAt: later }),
      aTrigger({ nodeName: 'new', spec: spec('0 0 9 * * *'), nextAt: later }),
    ]);
    const after = await new TriggerRepository(database.db.kysely).list(workflowId);
    expect(after.map(({ nodeName }) => nodeName)).toEqual(['changed', 'kept', 'new', 'new']);
    expect(after[1]).toEqual(before.find(({ nodeName }) => nodeName === 'kept'));
    expect(after[0]?.nextAt).toEqual(later);
  });

  test('is serialized with ticks: no tick starts an outdated version', async () => {
    await activate();
    const { versionId: second } = await workflows.update(workflowId, all, authorId, all, (current) => ({
      graph: { ...current.graph, name: 'two' },
      staticData: null,
    }));
    const activated = workflows.activate(workflowId, all, {}, [aTrigger()]);
    const schedulers = [database.db, ...others].map(ticksOf);
    let done = false;
    const ticking = schedulers.map(async (ticks) => {
      while (!done)
        await ticks.take(
          1,
          by((due) => ({ ...fire(due), nextAt: due.tick - 1 })),
        );
    });
    await activated;
    const lastBefore = Math.max(0, ...(await executions()).map(({ id }) => Number(id)));
    const startedAfter = async () => (await executions()).filter(({ id }) => Number(id) > lastBefore + 3);
    await eventually(async () => (await startedAfter()).length > 0).finally(() => {
      done = true;
    });
    await Promise.all(ticking);
    expect(new Set((await startedAfter()).map((row) => row.version_id))).toEqual(new Set([second]));
  });
});

test('after the response to a deactivation, nothing starts', async () => {
  await activate();
  let done = false;
  const ticking = [database.db, ...others].map(ticksOf).map(async (ticks) => {
    while (!done)
      await ticks.take(
        1,
        by((due) => ({ ...fire(due), nextAt: due.tick - 1 })),
      );
  });
  await eventually(async () => (await executions()).length > 0);
  await workflows.deactivate(workflowId, all);
  const count = (await executions()).length;
  await new Promise((resolve) => setTimeout(resolve, 100));
  done = true;
  await Promise.all(ticking);
  expect((await executions()).length).toBe(count);
  expect(await stored()).toBeUndefined();
});

test('deleting a workflow deletes its triggers', async () => {
  await activate();
  await workflows.delete(workflowId, all);
  expect(await stored()).toBeUndefined();
  expect(await ticksOf().nextDueMs()).toBeUndefined();
});

test('a thousand due schedules are claimed in batches, most overdue first', async () => {
  const triggers = Array.from({ length: 1_000 }, (_, i) =>
    aTrigger({ nodeName: `n${i}`, nextAt: new Date(Date.now() - 10_000 - i) }),
  );
  await activate(triggers);
  const ticks: number[] = [];
  const note = (due: DueTick): TickDecision => {
    ticks.push(due.tick);
    return { ...fire(due), nextAt: null };
  };
  while ((await ticksOf().take(100, by(note))).count > 0);
  expect(ticks).toHaveLength(1_000);
  expect(ticks).toEqual([...ticks].sort((a, b) => a - b));
});
