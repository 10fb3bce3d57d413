import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Access, ExecutionRecorder, ExecutionRepository, WorkerRepository } from '@sluice/db';
import { randomId, type WorkflowSettings } from '@sluice/domain';
import { eventually, type TestDatabase, testDatabase } from '@sluice/test-support';
import { sql } from 'kysely';
import { anExecution, aStoredWorkflow, startExecutions } from './a-workflow.ts';

let database: TestDatabase;
let workers: WorkerRepository;
let executions: ExecutionRepository;
const all = new Access('all');

beforeEach(async () => {
  database = await testDatabase();
  workers = new WorkerRepository(database.db);
  executions = new ExecutionRepository(database.db);
});
afterEach(() => database.drop());

async function aWorkerWith(executionIds: string[]): Promise<{ id: string; expire(): Promise<void> }> {
  const id = randomId();
  await workers.register({ id, hostname: 'here', pid: 1, concurrency: 1 }, 60_000);
  const recorder = new ExecutionRecorder(database.db, () => id);
  await Promise.all(executionIds.map((executionId) => recorder.claim({ executionId, attempt: 1 })));
  return {
    id,
    async expire() {
      await sql`UPDATE workers SET lease_expires_at = now() - interval '1 second' WHERE id = ${id}`.execute(database.db.kysely);
    },
  };
}
const start = async (count: number, settings: WorkflowSettings = {}) => {
  const workflow = await aStoredWorkflow(database.db, settings);
  const executions = Array.from({ length: count }, () => anExecution(workflow));
  return startExecutions(database.db, executions);
};
/** Reaps all expired leases. */
const reapDead = async () => {
  const { rows } = await sql<{ at: Date }>`SELECT now() AS at`.execute(database.db.kysely);
  return workers.reapDead(rows[0]?.at as Date);
};
const refsTo = (ids: string[]) => ids.map((executionId) => ({ executionId, attempt: 1 }));
const statuses = async (ids: string[]) => Promise.all(ids.map(async (id) => (await executions.get(id, all)).status));

test('an attempt is over once its execution has ended, has another attempt, or is deleted', async () => {
  const [fresh, running, ended, resumed] = (await start(4)) as [string, string, string, string];
  await aWorkerWith([running]);
  const { kysely } = database.db;
  await sql`UPDATE executions SET status = 'canceled', stopped_at = now() WHERE id = ${ended}`.execute(kysely);
  await sql`UPDATE executions SET attempt = 2 WHERE id = ${resumed}`.execute(kysely);
  const refs = [resumed, '999999', running, ended, fresh].map((executionId) => ({ executionId, attempt: 1 }));
  expect(await workers.areOver(refs)).toEqual([true, true, false, true, false]);
});

describe('reaping', () => {
  test('ends the executions of a worker without a lease once, and no others', async () => {
    const [dead, alive, unclaimed] = [await start(2), await start(1), await start(1)];
    const worker = await aWorkerWith(dead);
    await aWorkerWith(alive);
    await worker.expire();
    const reaped = await Promise.all([reapDead(), reapDead(), reapDead()]);
    expect(reaped.flat().sort()).toEqual([...dead].sort());
    expect(await statuses([...dead, ...alive, ...unclaimed])).toEqual(['crashed', 'crashed', 'running', 'new']);
    expect(await executions.get(dead[0] as string, all)).toMatchObject({
      stoppedAt: expect.any(Date),
      error: { code: 'WORKER_LOST' },
    });
  });

  test('ignores an unclaimed retry', async () => {
    const [id] = await start(1);
    await executions.cancel(id as string, all);
    const original = await executions.get(id as string, all);
    const retry = {
      original,
      access: all,
      graphHash: original.graphHash,
      versionId: null,
      userId: null,
      keep: 'none' as const,
    };
    const retried = await executions.retry(retry);
    const inserted = { id: retried.id, status: 'running', mode: 'retry', retryOf: original.id };
    expect(retried).toMatchObject({ repeated: false, execution: inserted });
    expect(await reapDead()).toEqual([]);
    expect(await statuses([retried.id])).toEqual(['running']);
  });

  test('makes the next renewal of the dead worker fail, while a worker that was not reaped can renew late', async () => {
    const [reaped, late] = [await aWorkerWith([]), await aWorkerWith([])];
    await reaped.expire();
    await reapDead();
    await late.expire();
    expect([await workers.renew(reaped.id, 1_000), await workers.renew(late.id, 1_000)]).toEqual([undefined, expect.any(Date)]);
  });

  test('ignores a lease that expired while reaping was delayed, since its worker may have been unable to renew it', async () => {
    const ids = await start(1);
    const { id } = await aWorkerWith(ids);
    const steadyAt = (await workers.renew(id, 10)) as Date;
    const hasLapsed = async () => {
      const lapsed = database.db.kysely.selectFrom('workers').where('lease_expires_at', '<', sql<Date>`now()`);
      return (await lapsed.select('id').execute()).length > 0;
    };
    await eventually(hasLapsed);
    expect(await workers.reapDead(steadyAt)).toEqual([]);
    expect(await statuses(ids)).toEqual(['running']);
    expect(await workers.renew(id, 60_000)).toBeInstanceOf(Date);
  });
});

test('a worker can list its executions in the database', async () => {
  const ids = await start(3);
  const { id } = await aWorkerWith(ids);
  const [stopped, deleted, held] = ids as [string, string, string];
  await executions.cancel(stopped, all);
  await executions.cancel(deleted, all);
  await executions.deleteMany([deleted], () => undefined);
  expect(await workers.listClaimed(id)).toEqual([{ executionId: held, attempt: 1 }]);
});

test('executions that a worker has claimed but does not run end as crashed, and all other executions are unchanged', async () => {
  const [mine, ended, other] = [await start(1), await start(1), await start(1)];
  const { id } = await aWorkerWith([...mine, ...ended]);
  await aWorkerWith(other);
  await executions.cancel(ended[0] as string, all);
  expect(await workers.crashForgotten(id, refsTo([...mine, ...ended, ...other]))).toEqual(mine);
  expect(await statuses([...mine, ...ended, ...other])).toEqual(['crashed', 'canceled', 'running']);
});

test('an execution that the worker has claimed again after a wait is not ended with its earlier attempt', async () => {
  const ids = await start(1);
  const { id } = await aWorkerWith(ids);
  const listed = await workers.listClaimed(id);
  await sql`UPDATE executions SET attempt = 2 WHERE id = ${ids[0]}`.execute(database.db.kysely);
  expect(await workers.crashForgotten(id, listed)).toEqual([]);
  expect(await statuses(ids)).toEqual(['running']);
});

test('an execution past its deadline ends as an error even without its worker', async () => {
  const [late, inTime] = [await start(1, { executionTimeout: 60 }), await start(1, { executionTimeout: 60 })];
  await aWorkerWith([...late, ...inTime]);
  await sql`UPDATE executions SET deadline_at = now() - interval '1 second' WHERE id = ${late[0]}`.execute(database.db.kysely);
  expect(await workers.endOverdue(0)).toEqual(late);
  expect(await statuses([...late, ...inTime])).toEqual(['error', 'running']);
});

test('a retry that waits for a worker for longer than its time limit still has its full time limit', async () => {
  const [id] = (await start(1, { executionTimeout: 60 })) as [string];
  await executions.cancel(id, all);
  const original = await executions.get(id, all);
  const { graphHash } = original;
  const retry = await executions.retry({ original, access: all, graphHash, versionId: null, userId: null, keep: 'none' });
  const { kysely } = database.db;
  const age = sql`created_at = created_at - interval '1 hour', started_at = started_at - interval '1 hour',
    queued_at = queued_at - interval '1 hour', deadline_at = deadline_at - interval '1 hour'`;
  await sql`UPDATE executions SET ${age} WHERE id = ${retry.id}`.execute(kysely);
  expect(await workers.endOverdue(0)).toEqual([]);
  await aWorkerWith([retry.id]);
  const { rows } = await sql<{ s: number }>`SELECT extract(epoch FROM deadline_at - now())::int AS s FROM executions
    WHERE id = ${retry.id}`.execute(kysely);
  expect(rows[0]?.s).toBeGreaterThan(50);
});

test('each unclaimed execution is returned to only one of several concurrent sweepers, and not again for a while', async () => {
  const unclaimed = await start(30);
  await aWorkerWith(await start(1));
  await sql`UPDATE executions SET queued_at = now() - interval '1 minute'`.execute(database.db.kysely);
  const batches = await Promise.all([1, 2, 3].map(() => workers.takeStranded(10_000, 20)));
  const ids = batches.flat().map((ref) => ref.executionId);
  expect(ids).toHaveLength(new Set(ids).size);
  expect(new Set(ids)).toEqual(new Set(unclaimed));
  expect(await workers.takeStranded(10_000, 100)).toEqual([]);
});

test('unclaimed executions are returned for some shards of the queue only', async () => {
  const ids = await start(6);
  await sql`UPDATE executions SET queued_at = now() - interval '1 minute'`.execute(database.db.kysely);
  const take = async (numbers: number[]) =>
    (await workers.takeStranded(10_000, 20, { count: 3, numbers })).map(({ executionId }) => executionId).sort();
  const inShard = (numbers: number[]) => ids.filter((id) => numbers.includes(Number(id) % 3)).sort();
  expect(await take([1])).toEqual(inShard([1]));
  expect(await take([0, 1])).toEqual(inShard([0]));
  expect(await take([0, 1, 2])).toEqual(inShard([2]));
});
