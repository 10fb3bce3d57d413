import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  Access,
  CalledExecutionRepository,
  ExecutionMoveRepository,
  ExecutionRecorder,
  ExecutionRepository,
  LimitedExecutionRepository,
  WorkerRepository,
  WorkflowRepository,
} from '@sluice/db';
import { type ExecutionId, randomId } from '@sluice/domain';
import { testDatabase } from '@sluice/test-support';
import { sql } from 'kysely';
import { anExecution, aStoredWorkflow, type StoredWorkflow, startExecutions } from './a-workflow.ts';

let workflow: StoredWorkflow;
const all = new Access('all');

const database = await testDatabase();
const executions = new ExecutionRepository(database.db);
beforeEach(async () => {
  await sql`TRUNCATE execution_limits, executions CASCADE`.execute(database.db.kysely);
  workflow = await aStoredWorkflow(database.db);
});
afterAll(() => database.drop());

interface Claimer {
  workerId: string;
  recorder: ExecutionRecorder;
  limited: LimitedExecutionRepository;
}

async function aWorker(): Promise<Claimer> {
  const workerId = randomId();
  await new WorkerRepository(database.db).register({ id: workerId, hostname: 'here', pid: 1, concurrency: 1 }, 60_000);
  return {
    workerId,
    recorder: new ExecutionRecorder(database.db, () => workerId),
    limited: new LimitedExecutionRepository(database.db, () => workerId),
  };
}

interface Limit {
  workflow_id?: string;
  project_id?: string;
  credential_id?: string;
  max_running?: number;
  per_second?: number;
  when_full?: 'queue' | 'skip';
}
async function aLimit(limit: Limit): Promise<number> {
  const row = await database.db.kysely.insertInto('execution_limits').values(limit).returning('id').executeTakeFirstOrThrow();
  return row.id;
}
const start = (count: number, of = workflow) =>
  startExecutions(
    database.db,
    Array.from({ length: count }, () => anExecution(of)),
  );
const ref = (executionId: ExecutionId, attempt = 1) => ({ executionId, attempt });
/** Claims sequentially. */
async function kindsOf(claimer: Claimer, ids: readonly ExecutionId[]): Promise<(string | undefined)[]> {
  const kinds: (string | undefined)[] = [];
  for (const id of ids) kinds.push((await claimer.limited.claim(ref(id)))?.kind);
  return kinds;
}
const end = ({ recorder }: Claimer, id: ExecutionId) =>
  recorder.finish({ ...ref(id), status: 'success', retryOf: null, error: null });
const countRunning = async () => {
  const { rows } = await sql<{ n: number }>`SELECT count(*)::int AS n FROM executions WHERE status = 'running'
    AND worker_id IS NOT NULL`.execute(database.db.kysely);
  return rows[0]?.n;
};

describe('claims', () => {
  test('through the plain recorder skip executions to which a limit applies', async () => {
    const worker = await aWorker();
    await aLimit({ workflow_id: workflow.workflowId, max_running: 1 });
    const other = await aStoredWorkflow(database.db);
    const [limited, free] = [...(await start(1)), ...(await start(1, other))] as [string, string];
    expect(await worker.recorder.claim(ref(limited))).toBeUndefined();
    expect(await worker.recorder.claim(ref(free))).toMatchObject({ executionId: free, limitIds: [] });
    expect(await worker.limited.claim(ref(limited))).toMatchObject({ kind: 'claimed', claimed: { executionId: limited } });
  });

  test('ignore executions without a limit', async () => {
    const worker = await aWorker();
    await aLimit({ workflow_id: (await aStoredWorkflow(database.db)).workflowId, max_running: 1 });
    expect(await kindsOf(worker, await start(1))).toEqual([undefined]);
  });

  test('of several concurrent workers never exceed the limit', async () => {
    await aLimit({ workflow_id: workflow.workflowId, max_running: 3 });
    const workers = await Promise.all([aWorker(), aWorker(), aWorker()]);
    const ids = await start(60);
    const kinds = await Promise.all(
      workers.map((worker, i) =>
        kindsOf(
          worker,
          ids.filter((_, n) => n % 3 === i),
        ),
      ),
    );
    expect(kinds.flat().filter((kind) => kind === 'claimed')).toHaveLength(3);
    expect(kinds.flat().filter((kind) => kind === 'blocked')).toHaveLength(57);
    expect(await countRunning()).toBe(3);
  });

  test('of an outdated attempt neither receive nor prevent the claim of the current attempt in the same transaction', async () => {
    await aLimit({ workflow_id: workflow.workflowId, max_running: 5 });
    const { limited } = await aWorker();
    const ids = await start(2);
    await sql`UPDATE executions SET status = 'running', attempt = 2`.execute(database.db.kysely);
    const attempts = (id: ExecutionId, order: number[]) => order.map((attempt) => limited.claim(ref(id, attempt)));
    const claims = await Promise.all([...attempts(ids[0] as string, [1, 2]), ...attempts(ids[1] as string, [2, 1])]);
    expect(claims.map((claim) => claim && 'claimed' in claim && claim.claimed.attempt)).toEqual([undefined, 2, 2, undefined]);
  });

  test('succeed again if the same worker repeats them after a lost reply', async () => {
    const worker = await aWorker();
    await aLimit({ workflow_id: workflow.workflowId, max_running: 1 });
    const ids = await start(1);
    expect(await kindsOf(worker, ids)).toEqual(['claimed']);
    expect(await kindsOf(worker, ids)).toEqual(['claimed']);
    expect(await kindsOf(await aWorker(), ids)).toEqual([undefined]);
  });

  test('need an unexpired lease', async () => {
    const worker = await aWorker();
    await aLimit({ workflow_id: workflow.workflowId, max_running: 1 });
    await database.db.kysely.deleteFrom('workers').where('id', '=', worker.workerId).execute();
    const [id] = (await start(1)) as [string];
    await expect(worker.limited.claim(ref(id))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  test('do not overtake blocked executions', async () => {
    const worker = await aWorker();
    await aLimit({ workflow_id: workflow.workflowId, max_running: 1 });
    const [first, second, third] = (await start(3)) as [string, string, string];
    expect(await kindsOf(worker, [first, second])).toEqual(['claimed', 'blocked']);
    await end(worker, first);
    expect(await kindsOf(worker, [third])).toEqual(['blocked']);
    expect((await worker.limited.unblock()).unblocked).toEqual([ref(second)]);
    expect(await kindsOf(worker, [third, second])).toEqual([undefined, 'claimed']);
  });
});

describe('skip', () => {
  test('ends a start above the limit as canceled, with the reason', async () => {
    const worker = await aWorker();
    await aLimit({ workflow_id: workflow.workflowId, max_running: 1, when_full: 'skip' });
    const ids = await start(2);
    expect(await kindsOf(worker, ids)).toEqual(['claimed', 'skipped']);
    expect(await executions.get(ids[1] as string, all)).toMatchObject({
      status: 'canceled',
      error: { code: 'CONCURRENCY_LIMIT', message: expect.stringContaining('1 execution,') },
    });
    expect((await worker.limited.unblock()).unblocked).toEqual([]);
  });

  test.each([true, false])(
    'does not end executions that were handed back before the limit was set (was running: %s)',
    async (wasRunning) => {
      const worker = await aWorker();
      const [handedBack, other] = (await start(2)) as [string, string];
      await worker.recorder.claim(ref(handedBack));
      await worker.recorder.handBack({ ...ref(handedBack), wasRunning });
      await aLimit({ workflow_id: workflow.workflowId, max_running: 1, when_full: 'skip' });
      expect(await kindsOf(worker, [other, handedBack])).toEqual(['claimed', 'blocked']);
      await end(worker, other);
      expect((await worker.limited.unblock()).unblocked).toEqual([ref(handedBack)]);
      expect(await kindsOf(worker, [handedBack])).toEqual(['claimed']);
    },
  );
});

describe('blocked executions', () => {
  test('are unblocked in order, exactly as many as fit, even if many workers check concurrently', async () => {
    const workers = await Promise.all([aWorker(), aWorker(), aWorker()]);
    const [worker] = workers as [Claimer, ...Claimer[]];
    const id = await aLimit({ workflow_id: workflow.workflowId, max_running: 4 });
    const ids = await start(20);
    await kindsOf(worker, ids);
    await Promise.all(ids.slice(0, 2).map((each) => end(worker, each)));
    const results = await Promise.all(workers.flatMap((each) => [each.limited.unblock([id]), each.limited.unblock()]));
    const unblocked = results.flatMap((each) => each.unblocked.map(({ executionId }) => executionId));
    expect(unblocked.toSorted()).toEqual(ids.slice(4, 6).toSorted());
    expect((await worker.limited.unblock()).unblocked).toEqual([]);
  });

  test('can start after their limit was raised or removed', async () => {
    const worker = await aWorker();
    const id = await aLimit({ workflow_id: workflow.workflowId, max_running: 1 });
    const ids = await start(10);
    await kindsOf(worker, ids);
    await database.db.kysely.updateTable('execution_limits').set({ max_running: 3 }).where('id', '=', id).execute();
    expect((await worker.limited.unblock()).unblocked).toEqual(ids.slice(1, 3).map((each) => ref(each)));
    await database.db.kysely.deleteFrom('execution_limits').execute();
    expect((await worker.limited.unblock()).unblocked).toEqual(ids.slice(3).map((each) => ref(each)));
    expect(await worker.recorder.claim(ref(ids[9] as string))).toBeDefined();
  });

  test('wait after their limit was lowered until fewer executions run', async () => {
    const worker = await aWorker();
    const id = await aLimit({ workflow_id: workflow.workflowId, max_running: 3 });
    const ids = await start(4);
    await kindsOf(worker, ids);
    await database.db.kysely.updateTable('execution_limits').set({ max_running: 1 }).where('id', '=', id).execute();
    for (const done of ids.slice(0, 2)) {
      await end(worker, done);
      expect((await worker.limited.unblock()).unblocked).toEqual([]);
    }
    await end(worker, ids[2] as string);
    expect((await worker.limited.unblock()).unblocked).toEqual([ref(ids[3] as string)]);
  });

  test('wait for any of their limits that is full', async () => {
    const worker = await aWorker();
    const other = await aStoredWorkflow(database.db);
    await sql`UPDATE workflows SET project_id = ${workflow.projectId} WHERE id = ${other.workflowId}`.execute(
      database.db.kysely,
    );
    await aLimit({ workflow_id: workflow.workflowId, max_running: 1 });
    await aLimit({ project_id: workflow.projectId, max_running: 2 });
    const [own1, own2] = (await start(2)) as [string, string];
    const [other1, other2] = (await start(2, other)) as [string, string];
    expect(await kindsOf(worker, [own1, own2, other1, other2])).toEqual(['claimed', 'blocked', 'claimed', 'blocked']);
    expect((await executions.getShown(own2, all)).waitingFor).toEqual({ limit: 'workflow', id: workflow.workflowId });
    expect((await executions.getShown(other2, all)).waitingFor).toEqual({ limit: 'project', id: workflow.projectId });
    await end(worker, own1);
    // The project has capacity for one execution, and the execution that it blocks is not older.
    expect((await worker.limited.unblock()).unblocked).toEqual([ref(own2)]);
    expect((await executions.getShown(own2, all)).waitingFor).toBeNull();
    expect((await executions.getShown(other2, all)).waitingFor).toEqual({ limit: 'project', id: workflow.projectId });
  });

  test('wait for another limit if it has become full', async () => {
    const worker = await aWorker();
    const limitId = await aLimit({ workflow_id: workflow.workflowId, max_running: 1 });
    const other = await aStoredWorkflow(database.db);
    await sql`UPDATE workflows SET project_id = ${workflow.projectId} WHERE id = ${other.workflowId}`.execute(
      database.db.kysely,
    );
    const [first, second] = (await start(2)) as [string, string];
    await kindsOf(worker, [first, second]);
    await aLimit({ project_id: workflow.projectId, max_running: 1 });
    await kindsOf(worker, await start(1, other));
    await worker.limited.recount();
    await end(worker, first);
    expect((await worker.limited.unblock([limitId])).unblocked).toEqual([]);
    expect((await executions.getShown(second, all)).waitingFor).toEqual({ limit: 'project', id: workflow.projectId });
  });

  test('do not wait for the limit of a project that their workflow has left', async () => {
    const worker = await aWorker();
    const { kysely } = database.db;
    const other = await aStoredWorkflow(database.db);
    await sql`UPDATE workflows SET project_id = ${other.projectId} WHERE id = ${workflow.workflowId}`.execute(kysely);
    await aLimit({ project_id: other.projectId, max_running: 1 });
    const [moved] = (await start(1)) as [string];
    const [running, blocked] = (await start(2, other)) as [string, string];
    expect(await kindsOf(worker, [running, moved, blocked])).toEqual(['claimed', 'blocked', 'blocked']);
    await new WorkflowRepository(kysely).transfer(workflow.workflowId, all, workflow.projectId, async () => {});
    await new ExecutionMoveRepository(kysely).moveSome();
    expect((await executions.getShown(moved, all)).waitingFor).toBeNull();
    expect((await worker.limited.unblock()).unblocked).toEqual([ref(moved)]);
    expect(await kindsOf(worker, [blocked])).toEqual([undefined]);
  });

  test('do not wait for an execution whose workflow has moved to another project', async () => {
    const worker = await aWorker();
    const { kysely } = database.db;
    const other = await aStoredWorkflow(database.db);
    await sql`UPDATE workflows SET project_id = ${other.projectId} WHERE id = ${workflow.workflowId}`.execute(kysely);
    await aLimit({ project_id: other.projectId, max_running: 1 });
    const [running, blocked] = [...(await start(1)), ...(await start(1, other))] as [string, string];
    expect(await kindsOf(worker, [running, blocked])).toEqual(['claimed', 'blocked']);
    await new WorkflowRepository(kysely).transfer(workflow.workflowId, all, workflow.projectId, async () => {});
    await new ExecutionMoveRepository(kysely).moveSome();
    await worker.limited.recount();
    expect((await worker.limited.unblock()).unblocked).toEqual([ref(blocked)]);
    expect(await kindsOf(worker, [blocked])).toEqual(['claimed']);
  });

  test('wait for executions that ran before their limit was set', async () => {
    const worker = await aWorker();
    const ids = await start(3);
    await Promise.all(ids.slice(0, 2).map((id) => worker.recorder.claim(ref(id))));
    await aLimit({ workflow_id: workflow.workflowId, max_running: 2 });
    await worker.limited.recount();
    expect(await kindsOf(worker, ids.slice(2))).toEqual(['blocked']);
    await end(worker, ids[0] as string);
    expect((await worker.limited.unblock()).unblocked).toEqual([ref(ids[2] as string)]);
  });

  test('use no capacity once they are canceled, and a canceled running execution frees its capacity', async () => {
    const worker = await aWorker();
    await aLimit({ workflow_id: workflow.workflowId, max_running: 1 });
    const [first, second, third] = (await start(3)) as [string, string, string];
    await kindsOf(worker, [first, second, third]);
    await executions.cancel(second, all);
    await executions.cancel(first, all);
    expect((await executions.getShown(second, all)).waitingFor).toBeNull();
    expect((await worker.limited.unblock()).unblocked).toEqual([ref(third)]);
  });
});

describe('a limit of a credential', () => {
  async function aCredential(of: StoredWorkflow): Promise<string> {
    const id = randomId();
    const bytes = Buffer.alloc(1);
    await database.db.kysely
      .insertInto('credentials')
      .values({
        id,
        project_id: of.projectId,
        name: 'c',
        type: 't',
        is_global: false,
        is_managed: false,
        is_resolvable: false,
        version: 1,
        key_id: 'k',
        wrapped_dek: bytes,
        iv: bytes,
        ciphertext: bytes,
        tag: bytes,
      })
      .execute();
    await sql`UPDATE workflow_graphs SET credential_ids = ARRAY['another', ${id}] WHERE workflow_id = ${of.workflowId}`.execute(
      database.db.kysely,
    );
    return id;
  }

  async function shareWith({ projectId }: StoredWorkflow, credentialId: string): Promise<void> {
    const share = { credential_id: credentialId, project_id: projectId };
    await database.db.kysely.insertInto('credential_shares').values(share).execute();
  }

  test('applies to all executions whose graph uses the credential', async () => {
    const worker = await aWorker();
    const credentialId = await aCredential(workflow);
    const other = await aStoredWorkflow(database.db);
    await sql`UPDATE workflow_graphs SET credential_ids = ARRAY[${credentialId}] WHERE workflow_id = ${other.workflowId}`.execute(
      database.db.kysely,
    );
    await aLimit({ credential_id: credentialId, max_running: 1 });
    await shareWith(other, credentialId);
    const ids = [...(await start(1)), ...(await start(1, other))];
    expect(await kindsOf(worker, ids)).toEqual(['claimed', 'blocked']);
    expect((await executions.getShown(ids[1] as string, all)).waitingFor).toEqual({ limit: 'credential', id: credentialId });
  });

  test('does not apply to executions of projects that may not use the credential', async () => {
    const worker = await aWorker();
    const credentialId = await aCredential(workflow);
    const other = await aStoredWorkflow(database.db);
    await sql`UPDATE workflow_graphs SET credential_ids = ARRAY[${credentialId}] WHERE workflow_id = ${other.workflowId}`.execute(
      database.db.kysely,
    );
    await aLimit({ credential_id: credentialId, max_running: 1 });
    const [foreign, own] = [...(await start(1, other)), ...(await start(1))] as [string, string];
    expect(await worker.recorder.claim(ref(foreign))).toMatchObject({ limitIds: [] });
    expect(await kindsOf(worker, [own])).toEqual(['claimed']);
  });

  test('per second is never exceeded within any second', async () => {
    const worker = await aWorker();
    await aLimit({ credential_id: await aCredential(workflow), per_second: 3 });
    const ids = await start(7);
    expect(await kindsOf(worker, ids)).toEqual([...Array(3).fill('claimed'), ...Array(4).fill('blocked')]);
    await Promise.all(ids.slice(0, 3).map((id) => end(worker, id)));
    const early = await worker.limited.unblock();
    expect(early.unblocked).toEqual([]);
    expect(early.againInMs).toBeGreaterThan(0);
    expect(early.againInMs).toBeLessThanOrEqual(1_000);
    await sql`UPDATE execution_limits SET starts = ARRAY(SELECT s - interval '1 second' FROM unnest(starts) AS s)`.execute(
      database.db.kysely,
    );
    expect((await worker.limited.unblock()).unblocked).toEqual(ids.slice(3, 6).map((id) => ref(id)));
    expect((await worker.limited.unblock()).unblocked).toEqual([]); // three executions have been unblocked and will start
    expect(await kindsOf(worker, ids.slice(3, 6))).toEqual(['claimed', 'claimed', 'claimed']);
  });
});

describe('sub-executions and waits', () => {
  test('a limit keeps blocking a parent or child when parents are resumed', async () => {
    const worker = await aWorker();
    await aLimit({ workflow_id: workflow.workflowId, max_running: 1 });
    const [parent, child] = (await start(2)) as [string, string];
    const blocked = await start(1);
    const { kysely } = database.db;
    await sql`UPDATE executions SET status = 'running', attempt = 2, queued_at = 'infinity' WHERE id = ${parent}`.execute(
      kysely,
    );
    await sql`UPDATE executions SET parent_execution_id = ${parent} WHERE id = ${child}`.execute(kysely);
    await sql`INSERT INTO execution_waits (execution_id, attempt, kind, node_name, run_index, start_time, tried, resume_token, children, all_runs)
      VALUES (${parent}, 2, 'workflows', 'n', 0, 0, 1, 't', ARRAY[${child}::bigint], ARRAY[false])`.execute(kysely);
    await kindsOf(worker, [...blocked, child]);
    const called = new CalledExecutionRepository(database.db);
    expect((await called.wake()).due).toEqual([]);
    await end(worker, blocked[0] as string);
    expect((await worker.limited.unblock()).unblocked).toEqual([ref(child)]);
    await kindsOf(worker, [child]);
    await end(worker, child);
    const [next] = (await start(1)) as [string];
    await kindsOf(worker, [next]);
    expect((await called.wake()).due).toMatchObject([ref(parent, 2)]);
    expect(await worker.limited.claim(ref(parent, 2))).toEqual({ kind: 'blocked' });
    expect((await called.wake()).due).toEqual([]);
    await end(worker, next);
    expect((await worker.limited.unblock()).unblocked).toEqual([ref(parent, 2)]);
  });

  test('the time limit of a resumed execution is paused while a concurrency limit blocks it', async () => {
    const worker = await aWorker();
    await aLimit({ workflow_id: workflow.workflowId, max_running: 1 });
    const [first, resumed] = (await start(2)) as [string, string];
    const { kysely } = database.db;
    await sql`UPDATE executions SET status = 'running', attempt = 2, timeout_ms = 60000, deadline_at = now() + interval '20 seconds'
      WHERE id = ${resumed}`.execute(kysely);
    await kindsOf(worker, [first]);
    expect(await worker.limited.claim(ref(resumed, 2))).toEqual({ kind: 'blocked' });
    await end(worker, first);
    await worker.limited.unblock();
    const claim = await worker.limited.claim(ref(resumed, 2));
    expect(claim).toMatchObject({ kind: 'claimed', claimed: { remainingMs: expect.any(Number) } });
    if (claim?.kind === 'claimed') {
      expect(claim.claimed.remainingMs).toBeLessThanOrEqual(20_000);
      expect(claim.claimed.remainingMs).toBeGreaterThan(15_000);
    }
  });

  test('a limit can block an execution whose deadline is further away than any time limit', async () => {
    const worker = await aWorker();
    await aLimit({ workflow_id: workflow.workflowId, max_running: 1 });
    const [first, resumed] = (await start(2)) as [string, string];
    await sql`UPDATE executions SET status = 'running', attempt = 2, timeout_ms = 60000, deadline_at = now() + interval '40 days'
      WHERE id = ${resumed}`.execute(database.db.kysely);
    await kindsOf(worker, [first]);
    expect(await worker.limited.claim(ref(resumed, 2))).toEqual({ kind: 'blocked' });
  });
});
