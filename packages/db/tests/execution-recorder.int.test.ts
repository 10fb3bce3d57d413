import { randomBytes } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  Access,
  ExecutionRepository,
  type NewRetry,
  QueuedExecutionRepository,
  RunDataRepository,
  WorkerRepository,
} from '@sluice/db';
import { executionClaimed, JsonText, randomId } from '@sluice/domain';
import { testDatabase } from '@sluice/test-support';
import { sql } from 'kysely';
import { aNodeRun, aRegisteredWorker } from './a-worker.ts';
import { anExecution, aStoredWorkflow, type StoredWorkflow, startExecutions } from './a-workflow.ts';

let workflow: StoredWorkflow;
const all = new Access('all');

const database = await testDatabase();
const workers = new WorkerRepository(database.db);
const executions = new ExecutionRepository(database.db);
beforeEach(async () => {
  workflow = await aStoredWorkflow(database.db);
});
afterAll(() => database.drop());

const aWorker = (leaseMs?: number) => aRegisteredWorker(database.db, leaseMs);
const start = async (changes = {}) => (await startExecutions(database.db, [anExecution(workflow, changes)]))[0] as string;

describe('claiming', () => {
  test('succeeds for exactly one of many workers that claim an execution', async () => {
    const id = await start();
    const rivals = await Promise.all(Array.from({ length: 8 }, () => aWorker()));
    const claims = await Promise.all(rivals.map(({ recorder }) => recorder.claim({ executionId: id, attempt: 1 })));
    expect(claims.filter(Boolean)).toHaveLength(1);
    expect(await executions.get(id, all)).toMatchObject({ status: 'running', attempt: 1, startedAt: expect.any(Date) });
  });

  test('returns the graph, the mode, the input, and the remaining time', async () => {
    workflow = await aStoredWorkflow(database.db, { executionTimeout: 500 });
    const id = await start({ mode: 'webhook', input: { destinationNode: 'Set', runData: {} } });
    const { recorder } = await aWorker();
    const claimed = await recorder.claim({ executionId: id, attempt: 1 });
    expect(claimed).toMatchObject({
      workflowId: workflow.workflowId,
      graphHash: workflow.graphHash,
      mode: 'webhook',
      retryOf: null,
    });
    expect(claimed?.input.data).toEqual({ destinationNode: 'Set', runData: {} });
    expect(claimed?.remainingMs).toBeGreaterThan(400_000);
  });

  // A deadline after a long outage or a change of the database clock.
  test.each([
    ['40 days', 2 ** 31 - 1],
    ['-40 days', 0],
  ])('limits the remaining time of a deadline in %s to the range of a timer', async (distance, remainingMs) => {
    const id = await start();
    await sql`UPDATE executions SET status = 'running', attempt = 2, deadline_at = now() + ${distance}::interval
      WHERE id = ${id}`.execute(database.db.kysely);
    const { recorder } = await aWorker();
    expect(await recorder.claim({ executionId: id, attempt: 2 })).toMatchObject({ remainingMs });
  });

  test.each([
    ['compressible', 'x'.repeat(100_000)],
    ['not compressible', randomBytes(50_000).toString('hex')],
  ])('returns the size of a large input (%s) instead of its data', async (_, text) => {
    const input = { destinationNode: text };
    const id = await start({ mode: 'webhook', input });
    const { recorder } = await aWorker();
    const claimed = await recorder.claim({ executionId: id, attempt: 1 });
    expect(claimed?.input).toEqual({ bytes: JSON.stringify(input).length });
    expect(await new RunDataRepository(database.db).findInput(id)).toEqual(input);
  });

  test('succeeds again if the same worker repeats it after a lost reply', async () => {
    const id = await start();
    const { recorder } = await aWorker();
    const claims = [
      await recorder.claim({ executionId: id, attempt: 1 }),
      await recorder.claim({ executionId: id, attempt: 1 }),
    ];
    expect(claims[1]).toEqual(claims[0]);
    expect(claims[0]).toBeDefined();
  });

  test('of an outdated attempt does not receive the current attempt, which the same statement claims', async () => {
    const executionId = await start();
    await sql`UPDATE executions SET status = 'running', attempt = 2 WHERE id = ${executionId}`.execute(database.db.kysely);
    const { recorder } = await aWorker();
    const claims = await Promise.all([1, 2].map((attempt) => recorder.claim({ executionId, attempt })));
    expect(claims).toEqual([undefined, expect.objectContaining({ executionId, attempt: 2 })]);
  });

  test('requires an unexpired lease, and can be repeated once the lease is renewed', async () => {
    const ref = { executionId: await start(), attempt: 1 };
    const { id, recorder } = await aWorker(-1);
    await expect(recorder.claim(ref)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryable: true });

    await workers.renew(id, 60_000);

    expect(await recorder.claim(ref)).toMatchObject(ref);
  });

  test('can be reverted by its worker, after which any worker can claim the execution', async () => {
    const ref = { executionId: await start(), attempt: 1 };
    const [{ recorder }, other] = [await aWorker(), await aWorker()];
    expect(await recorder.handBack(ref)).toBe(false);
    await recorder.claim(ref);
    expect(await other.recorder.handBack(ref)).toBe(false);
    expect(await other.recorder.claim(ref)).toBeUndefined();
    expect(await recorder.handBack(ref)).toBe(true);
    expect(await other.recorder.claim(ref)).toMatchObject(ref);
    expect(await recorder.handBack(ref)).toBe(false);
  });

  test('can be reverted while it runs, up to ten times: the execution keeps its start and the rest of its time limit', async () => {
    const ref = { executionId: await start(), attempt: 1 };
    const { recorder } = await aWorker();
    const { kysely } = database.db;
    await sql`UPDATE executions SET timeout_ms = 60000, queued_at = created_at`.execute(kysely);
    expect(await recorder.claim(ref)).toMatchObject({ hasRun: false });
    const times = async () => (await sql`SELECT queued_at, started_at FROM executions`.execute(kysely)).rows;
    const remaining = async () =>
      (
        await sql<{
          ms: number;
        }>`SELECT (extract(epoch FROM deadline_at - now()) * 1000)::float8 AS ms FROM executions`.execute(kysely)
      ).rows[0]?.ms;
    await sql`UPDATE executions SET deadline_at = now() + interval '20 seconds'`.execute(kysely);
    const before = await times();
    const waits: number[] = [];
    const unsubscribe = executionClaimed.subscribe(({ waitMs }) => void waits.push(waitMs));
    for (let time = 0; time < 10; time += 1) {
      expect(await recorder.handBack({ ...ref, wasRunning: true })).toBe(true);
      expect(await recorder.claim(ref)).toMatchObject({ ...ref, hasRun: true });
    }
    unsubscribe();
    expect(waits).toEqual([]); // its time in the queue includes its earlier run
    expect(await times()).toEqual(before);
    expect(await remaining()).toBeGreaterThan(10_000);
    expect(await remaining()).toBeLessThan(20_000);
    expect(await recorder.handBack({ ...ref, wasRunning: true })).toBe(false);
    expect(await recorder.handBack(ref)).toBe(true);
  });

  test('that is reverted during a backlog leaves the execution first in its workflow', async () => {
    const [first] = [await start(), await start(), await start()];
    const { kysely } = database.db;
    await sql`UPDATE executions SET queued_at = now() - interval '1 hour', created_at = now() - interval '1 hour'`.execute(
      kysely,
    );
    await sql`UPDATE executions SET queued_at = now() - interval '2 hours', created_at = now() - interval '2 hours'
      WHERE id = ${first}`.execute(kysely);
    const { recorder } = await aRegisteredWorker(database.db);
    const queued = new QueuedExecutionRepository(database.db);
    const takeOne = () => queued.take([{ projectId: workflow.projectId, workflowId: workflow.workflowId, count: 1 }], 0);
    for (const wasRunning of [false, true]) {
      expect(await takeOne()).toMatchObject([{ executionId: first }]);
      const ref = { executionId: first, attempt: 1 };
      await recorder.claim(ref);
      await recorder.handBack({ ...ref, wasRunning });
    }
    expect(await takeOne()).toMatchObject([{ executionId: first }]);
  });

  test('fails for a canceled execution, another attempt, or a missing execution', async () => {
    const { recorder } = await aWorker();
    const canceled = await start();
    await executions.cancel(canceled, all);
    const wanted = [
      { executionId: canceled, attempt: 1 },
      { executionId: await start(), attempt: 2 },
      { executionId: '9000000000000000000', attempt: 1 },
    ];
    expect(await Promise.all(wanted.map((ref) => recorder.claim(ref)))).toEqual([undefined, undefined, undefined]);
  });
});

describe('recording', () => {
  test('node runs are read in order and unchanged', async () => {
    const id = await start();
    const { recorder } = await aWorker();
    await recorder.claim({ executionId: id, attempt: 1 });
    const written = await Promise.all([2, 0, 1].map((seq) => recorder.append([aNodeRun(id, seq)])));
    expect(written).toEqual([true, true, true]);
    const { records: runs, bytes, largest } = await new RunDataRepository(database.db).readNodeRuns(id);
    const lengths = [0, 1, 2].map((seq) => aNodeRun(id, seq).json.length);
    expect([bytes, largest]).toEqual([lengths.reduce((sum, length) => sum + length), Math.max(...lengths)]);
    expect(runs.map((run) => [run.seq, run.nodeName, run.run.startTime])).toEqual([
      [0, 'Node 0', 0],
      [1, 'Node 1', 1],
      [2, 'Node 2', 2],
    ]);
  });

  test('for a response, runs stay serialized unless they have an error, custom data, or a truncation mark', async () => {
    const id = await start();
    const { recorder } = await aWorker();
    await recorder.claim({ executionId: id, attempt: 1 });
    const added = [{}, { error: { message: 'm', name: 'Error' } }, { customData: { a: '1' } }, { truncated: true as const }];
    const runs = added.map((members, seq) => {
      const record = aNodeRun(id, seq);
      return { ...record, json: JSON.stringify({ ...JSON.parse(record.json), ...members }) };
    });
    await recorder.append(runs);
    const runData = new RunDataRepository(database.db);
    const shownRuns = (await runData.readShownRuns(id)).records;
    expect(shownRuns.map(({ run }) => run instanceof JsonText)).toEqual([true, false, false, false]);
    expect(JSON.parse(JSON.stringify(shownRuns))).toEqual(await runData.listNodeRuns(id));
  });

  test('node runs that are appended together are stored atomically', async () => {
    const ids = [await start(), await start()];
    const { recorder } = await aWorker();
    for (const executionId of ids) await recorder.claim({ executionId, attempt: 1 });
    const outOfRange = 2 ** 40;
    const batches = ids.map((id) => [aNodeRun(id, 0), aNodeRun(id, 1), aNodeRun(id, 2)]);
    batches[0]?.push({ ...aNodeRun(ids[0] as string, 3), runIndex: outOfRange });

    const written = await Promise.allSettled(batches.map((batch) => recorder.append(batch)));

    expect(written.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    const stored = await Promise.all(ids.map((id) => new RunDataRepository(database.db).listNodeRuns(id)));
    expect(stored.map((runs) => runs.map(({ seq }) => seq))).toEqual([[], [0, 1, 2]]);
  });

  test('a node run repeated after a lost reply counts as written and is stored once', async () => {
    const id = await start();
    const { recorder } = await aWorker();
    await recorder.claim({ executionId: id, attempt: 1 });
    expect([await recorder.append([aNodeRun(id, 0)]), await recorder.append([aNodeRun(id, 0)])]).toEqual([true, true]);
    expect(await new RunDataRepository(database.db).listNodeRuns(id)).toHaveLength(1);
  });

  test('an end repeated after a lost reply counts as written', async () => {
    const id = await start();
    const { recorder } = await aWorker();
    await recorder.claim({ executionId: id, attempt: 1 });
    const ending = { executionId: id, attempt: 1, retryOf: null, status: 'error' as const, error: { message: 'first' } };
    expect(await recorder.finish(ending)).toBe(true);
    const { stoppedAt } = await executions.get(id, all);
    expect(await recorder.finish({ ...ending, error: { message: 'second' } })).toBe(true);
    expect(await executions.get(id, all)).toMatchObject({ status: 'error', error: { message: 'first' }, stoppedAt });
    expect(await recorder.finish({ ...ending, status: 'success', error: null })).toBe(false);
  });

  test('the last node runs are stored with the end, and only once if the end is written again', async () => {
    const [id, other] = [await start(), await start()];
    const { recorder } = await aWorker();
    for (const executionId of [id, other]) await recorder.claim({ executionId, attempt: 1 });
    await recorder.append([aNodeRun(id, 0)]);
    const ending = (executionId: string, seqs: readonly number[]) => ({
      executionId,
      attempt: 1,
      retryOf: null,
      status: 'success' as const,
      error: null,
      runs: seqs.map((seq) => aNodeRun(executionId, seq)),
    });
    const ends = [ending(id, [1, 2]), ending(other, [0])];
    expect(await Promise.all(ends.map((end) => recorder.finish(end)))).toEqual([true, true]);
    expect(await Promise.all(ends.map((end) => recorder.finish(end)))).toEqual([true, true]);
    const stored = await Promise.all([id, other].map((each) => new RunDataRepository(database.db).listNodeRuns(each)));
    expect(stored.map((runs) => runs.map(({ seq, nodeName }) => [seq, nodeName]))).toEqual([
      [
        [0, 'Node 0'],
        [1, 'Node 1'],
        [2, 'Node 2'],
      ],
      [[0, 'Node 0']],
    ]);
  });

  test('a rejected end stores no node runs', async () => {
    const id = await start();
    const [holder, stranger] = [await aWorker(), await aWorker()];
    await holder.recorder.claim({ executionId: id, attempt: 1 });
    const ending = {
      executionId: id,
      attempt: 1,
      retryOf: null,
      status: 'success' as const,
      error: null,
      runs: [aNodeRun(id, 0)],
    };
    expect(await stranger.recorder.finish(ending)).toBe(false);
    expect(await new RunDataRepository(database.db).listNodeRuns(id)).toEqual([]);
  });

  test('a worker that does not own the execution writes neither data nor an end', async () => {
    const id = await start();
    const [owner, stranger] = [await aWorker(), await aWorker()];
    await owner.recorder.claim({ executionId: id, attempt: 1 });
    expect(await stranger.recorder.append([aNodeRun(id, 0)])).toBe(false);
    expect(await stranger.recorder.finish({ executionId: id, attempt: 1, retryOf: null, status: 'success', error: null })).toBe(
      false,
    );
    expect(await owner.recorder.finish({ executionId: id, attempt: 2, retryOf: null, status: 'success', error: null })).toBe(
      false,
    );
    expect(await executions.get(id, all)).toMatchObject({ status: 'running' });
  });

  test('a canceled execution remains canceled, regardless of later writes by its worker', async () => {
    const id = await start();
    const { recorder } = await aWorker();
    await recorder.claim({ executionId: id, attempt: 1 });
    await executions.cancel(id, all);
    expect(await recorder.append([aNodeRun(id, 0)])).toBe(false);
    expect(await recorder.finish({ executionId: id, attempt: 1, retryOf: null, status: 'success', error: null })).toBe(false);
    expect(await executions.get(id, all)).toMatchObject({ status: 'canceled', stoppedAt: expect.any(Date) });
  });

  test('many executions can end in one statement, each with its own status and error', async () => {
    const ids = await startExecutions(
      database.db,
      Array.from({ length: 20 }, () => anExecution(workflow)),
    );
    const { recorder } = await aWorker();
    await Promise.all(ids.map((executionId) => recorder.claim({ executionId, attempt: 1 })));
    const failed = { message: 'no', code: 'NODE_OPERATION_ERROR', node: 'Set' };
    const ended = await Promise.all(
      ids.map((executionId, i) =>
        recorder.finish({
          executionId,
          attempt: 1,
          retryOf: null,
          status: i % 2 ? 'error' : 'success',
          error: i % 2 ? failed : null,
        }),
      ),
    );
    expect(ended.every(Boolean)).toBe(true);
    expect(await executions.get(ids[0] as string, all)).toMatchObject({ status: 'success', error: null });
    expect(await executions.get(ids[1] as string, all)).toMatchObject({ status: 'error', error: failed });
  });
});

describe('a retry', () => {
  async function aFailedExecution() {
    const id = await start({ input: { destinationNode: 'Set' } });
    const { recorder } = await aWorker();
    await recorder.claim({ executionId: id, attempt: 1 });
    await recorder.append([aNodeRun(id, 0)]);
    await recorder.append([{ ...aNodeRun(id, 1), failed: true }]);
    await recorder.finish({ executionId: id, attempt: 1, retryOf: null, status: 'error', error: { message: 'no' } });
    return executions.get(id, all);
  }
  const retryOf = async (keep: NewRetry['keep']) => {
    const original = await aFailedExecution();
    const retry = { original, access: all, graphHash: original.graphHash, versionId: null, userId: null, keep };
    return { original, id: (await executions.retry(retry)).id };
  };

  test('is running immediately, with the input and the finished node runs of its original', async () => {
    const { original, id } = await retryOf({ except: [], subNodes: [] });
    expect(await executions.get(id, all)).toMatchObject({
      status: 'running',
      mode: 'retry',
      retryOf: original.id,
      workerId: null,
    });
    expect((await new RunDataRepository(database.db).listNodeRuns(id)).map((run) => run.nodeName)).toEqual(['Node 0']);
    const { recorder } = await aWorker();
    expect((await recorder.claim({ executionId: id, attempt: 1 }))?.input.data).toEqual({ destinationNode: 'Set' });
  });

  test('omits the excluded node runs', async () => {
    const { id } = await retryOf({ except: ['Node 0'], subNodes: [] });
    expect(await new RunDataRepository(database.db).listNodeRuns(id)).toEqual([]);
  });

  test('keeps sub-node runs of a node run that ended or was interrupted, but not of a failed one', async () => {
    const keptNames = async (names: readonly (string | [string, 'failed'])[]) => {
      const id = await start();
      const { recorder } = await aWorker();
      await recorder.claim({ executionId: id, attempt: 1 });
      const runs = names.map((name, seq) => ({
        ...aNodeRun(id, seq),
        nodeName: typeof name === 'string' ? name : name[0],
        failed: typeof name !== 'string',
      }));
      await recorder.append(runs);
      await recorder.finish({ executionId: id, attempt: 1, retryOf: null, status: 'error', error: { message: 'no' } });
      const original = await executions.get(id, all);
      const keep = { except: [], subNodes: ['Model', 'Tool'] };
      const retry = await executions.retry({
        original,
        access: all,
        graphHash: original.graphHash,
        versionId: null,
        userId: null,
        keep,
      });
      return (await new RunDataRepository(database.db).listNodeRuns(retry.id)).map((run) => run.nodeName);
    };
    const first = ['Start', 'Model', 'Tool', 'Agent'];
    expect(await keptNames([...first, 'Model', ['Tool', 'failed']])).toEqual([...first, 'Model']);
    expect(await keptNames([...first, 'Model', ['Tool', 'failed'], ['Agent', 'failed']])).toEqual(first);
    expect(await keptNames(['Tool', ['Agent', 'failed']])).toEqual([]);
  });

  test('requires an original that still exists and may be retried', async () => {
    const [gone, running] = [await aFailedExecution(), await executions.get(await start(), all)];
    await executions.deleteMany([gone.id], () => undefined);
    for (const original of [gone, running]) {
      const retry = {
        original,
        access: all,
        graphHash: original.graphHash,
        versionId: null,
        userId: null,
        keep: 'none' as const,
      };
      await expect(executions.retry(retry)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
  });

  test('that succeeds is linked from its original', async () => {
    const { original, id } = await retryOf('none');
    const { recorder } = await aWorker();
    await recorder.claim({ executionId: id, attempt: 1 });
    await recorder.finish({ executionId: id, attempt: 1, retryOf: original.id, status: 'success', error: null });
    expect(await executions.get(original.id, all)).toMatchObject({ status: 'error', retrySuccessId: id });
  });
});

describe('an idempotency key', () => {
  async function aUser(): Promise<string> {
    const id = randomId();
    await database.db.kysely
      .insertInto('users')
      .values({ id, email: `${id}@example.com`, role: 'member' })
      .execute();
    return id;
  }

  test('starts one execution when it is used concurrently', async () => {
    const key = { userId: await aUser(), path: '/run', key: 'once' };
    const started = await Promise.all(Array.from({ length: 20 }, () => executions.startOnce(anExecution(workflow), key)));
    expect(new Set(started.map(({ id }) => id)).size).toBe(1);
    expect(started.filter(({ repeated }) => !repeated)).toHaveLength(1);
    expect(
      await database.db.kysely.selectFrom('executions').selectAll().where('workflow_id', '=', workflow.workflowId).execute(),
    ).toHaveLength(1);
  });

  test('can start another execution after 24 hours', async () => {
    const key = { userId: await aUser(), path: '/run', key: 'later' };
    const first = await executions.startOnce(anExecution(workflow), key);
    const dayAgo = new Date(Date.now() - 25 * 3_600_000);
    await database.db.kysely.updateTable('idempotency_keys').set({ created_at: dayAgo }).where('key', '=', 'later').execute();
    const second = await executions.startOnce(anExecution(workflow), key);
    expect(second).toMatchObject({ repeated: false });
    expect(second.id).not.toBe(first.id);
  });
});
