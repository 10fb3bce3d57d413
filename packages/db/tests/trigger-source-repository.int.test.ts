import { afterAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import {
  Access,
  createDatabase,
  createQueueGauge,
  ensureBootstrap,
  type NewTrigger,
  type SourceLease,
  SourceStartRepository,
  StaticDataRepository,
  TriggerRepository,
  TriggerSourceRepository,
  WorkerRepository,
  WorkflowRepository,
} from '@sluice/db';
import { aSmallWorkflow, eventually, testDatabase } from '@sluice/test-support';
import { sql } from 'kysely';
import { isLockAwaited } from './is-lock-awaited.ts';

const all = new Access('all');
const leaseMs = 10_000;
let workflowId: string;
let create: () => Promise<string>;

const database = await testDatabase();
const others = [1, 2, 3].map(() => createDatabase({ url: database.url }));
const workflows = new WorkflowRepository(database.db.kysely);
const sources = new TriggerSourceRepository(database.db);
const starts = new SourceStartRepository(database.db, createQueueGauge(database.db, 1_000));
const authorId = (await ensureBootstrap(database.db.kysely, { bootstrapApiKey: null })).ownerId;
const projectId = (await database.db.kysely.selectFrom('projects').select('id').executeTakeFirstOrThrow()).id;
create = async () =>
  (await workflows.create({ projectId, graph: aSmallWorkflow(), staticData: null, meta: null, authorId }, all)).id;
beforeEach(async () => {
  await database.db.kysely.deleteFrom('workflows').execute();
  workflowId = await create();
});
afterAll(async () => {
  await Promise.all(others.map((db) => db.close()));
  await database.drop();
});

const aPoll = (fingerprint = 'a', rules = [{ every: 'minutes' as const, count: 1 }]): NewTrigger => ({
  nodeName: 'Feed',
  spec: { kind: 'poll', rules, fingerprint },
  nextAt: new Date(Date.now() - 1_000),
});
const aListener = (fingerprint = 'a', nodeName = 'Broker'): NewTrigger => ({
  nodeName,
  spec: { kind: 'listen', fingerprint },
  nextAt: null,
});
const activate = (...triggers: NewTrigger[]) => workflows.activate(workflowId, all, {}, triggers);
const deactivate = () => workflows.deactivate(workflowId, all);
const take = (kind: 'poll' | 'listen', limit = 10, from = sources, nodeTypes: string[] = []) =>
  from.take({ kind, limit, workerId: 'worker', leaseMs, nodeTypes, except: [], full: [] });
async function takeOne(kind: 'poll' | 'listen'): Promise<SourceLease> {
  const [lease] = await take(kind);
  if (!lease) throw new Error('nothing to take');
  return lease;
}
const anEvent = (n: number, key?: string) => ({ items: [{ json: { n } }], output: 0, key, files: [] });
const inserted = () => database.db.kysely.selectFrom('executions').selectAll().orderBy('id').execute();
const triggers = () => new TriggerRepository(database.db.kysely).list(workflowId);
const expireAll = () => sql`UPDATE trigger_sources SET held_until = now() - interval '1 second'`.execute(database.db.kysely);
const next = (lease: SourceLease, inMs = 60_000) => ({ tick: lease.tick ?? 0, at: Date.now() + inMs });
const closed = expect.objectContaining({ code: 'TRIGGER_CLOSED' });

describe('source leases', () => {
  test('of a type that a worker lacks are reserved for workers that have it, until a minute after the last such worker is gone', async () => {
    const workers = new WorkerRepository(database.db);
    await workers.offerTypes(['acme.broker', 'acme.broker@1']);
    await activate(aPoll(), { ...aListener(), foreignType: 'acme.broker@1' });
    expect(await take('listen')).toEqual([]);
    expect(await take('listen', 10, sources, ['acme.other'])).toEqual([]);
    expect(await take('poll')).toHaveLength(1);
    expect(await take('listen', 10, sources, ['acme.broker', 'acme.broker@1'])).toHaveLength(1);
    await expireAll();
    await sql`UPDATE worker_types SET seen_at = now() - interval '61 seconds'`.execute(database.db.kysely);
    expect(await take('listen')).toHaveLength(1);
  });

  test('go to only one process for each poll and each listener', async () => {
    await activate(aPoll(), ...['A', 'B', 'C'].map((name) => aListener('a', name)));
    const takers = others.map((db) => new TriggerSourceRepository(db));
    const polls = (await Promise.all(takers.map((taker) => take('poll', 10, taker)))).flat();
    const listeners = (await Promise.all(takers.map((taker) => take('listen', 10, taker)))).flat();
    expect(polls.map(({ nodeName }) => nodeName)).toEqual(['Feed']);
    expect(listeners.map(({ nodeName }) => nodeName).sort()).toEqual(['A', 'B', 'C']);
    expect(new Set([...polls, ...listeners].map(({ leaseId }) => leaseId)).size).toBe(4);
  });

  test('of a poll can be acquired when it is due, by a worker that supports its type', async () => {
    await activate({ ...aPoll(), nextAt: new Date(Date.now() + 60_000) });
    expect(await take('poll')).toEqual([]);
    await activate(aPoll('b'));
    const except = [{ workflowId, nodeName: 'Feed' }];
    expect(await sources.take({ kind: 'poll', limit: 1, workerId: 'w', leaseMs, nodeTypes: [], except, full: [] })).toEqual([]);
    expect(await take('poll')).toHaveLength(1);
  });

  test('that are not renewed pass to other workers, and the previous holders can no longer write', async () => {
    await activate(aListener());
    const old = await takeOne('listen');
    expect(await take('listen')).toEqual([]);
    expect(await sources.renew([old.leaseId, 'unknown'], leaseMs)).toEqual(new Set([old.leaseId]));
    await expireAll();
    const young = await takeOne('listen');
    expect(await sources.findValid([old.leaseId, young.leaseId])).toEqual(new Set([young.leaseId]));
    await expect(starts.commit(old, { starts: [anEvent(1)] })).rejects.toEqual(closed);
    await sources.fail(old, { error: 'late', pauseMs: 1_000 });
    await sources.release([old.leaseId]);
    expect(await sources.findValid([young.leaseId])).toEqual(new Set([young.leaseId]));
    expect(await inserted()).toEqual([]);
    expect((await triggers())[0]).toMatchObject({ failures: 0, heldBy: 'worker' });
  });

  test('end on deactivation, and nothing starts after its response', async () => {
    await activate(aListener());
    const lease = await takeOne('listen');
    await deactivate();
    expect(await sources.findValid([lease.leaseId])).toEqual(new Set());
    await expect(starts.commit(lease, { starts: [anEvent(1)] })).rejects.toEqual(closed);
    await activate(aListener());
    await expect(starts.commit(lease, { starts: [anEvent(1)] })).rejects.toEqual(closed);
    expect(await inserted()).toEqual([]);
  });

  test('of unchanged sources survive the activation of another version, and those of changed sources end', async () => {
    await activate(aListener('a', 'Same'), aListener('a', 'Changed'), aListener('a', 'Gone'));
    const leases = await take('listen');
    await activate(aListener('a', 'Same'), aListener('b', 'Changed'));
    const good = await sources.findValid(leases.map(({ leaseId }) => leaseId));
    expect(leases.filter(({ leaseId }) => good.has(leaseId)).map(({ nodeName }) => nodeName)).toEqual(['Same']);
    expect((await take('listen')).map(({ nodeName }) => nodeName)).toEqual(['Changed']);
  });
});

describe('events', () => {
  test('the execution, the cursor, and the next time of a poll are stored in one transaction, which releases it', async () => {
    await activate(aPoll());
    const lease = await takeOne('poll');
    expect(lease.cursor).toBeUndefined();
    const at = next(lease, 0);
    const outcomes = await starts.commit(lease, { starts: [anEvent(1)], cursor: { seen: 'a\u0000b' }, next: at });
    const [row] = await inserted();
    expect(outcomes).toEqual([{ id: row?.id, repeated: false }]);
    expect(row).toMatchObject({ status: 'new', mode: 'trigger', workflow_id: workflowId });
    expect((await triggers())[0]).toMatchObject({
      lastExecutionId: row?.id,
      nextAt: new Date(at.at),
      heldBy: null,
      lastSuccessAt: expect.any(Date),
    });
    expect((await takeOne('poll')).cursor).toEqual({ seen: 'a\u0000b' });
  });

  test('static data shared by all nodes is stored in the same transaction, and the data of each node is unchanged', async () => {
    const staticData = new StaticDataRepository(database.db.kysely);
    const before = JSON.stringify({ global: { n: 0 }, 'node:Feed': { a: 1 } });
    await database.db.kysely.updateTable('workflows').set({ static_data: before }).where('id', '=', workflowId).execute();
    await activate(aPoll(), aListener());
    const [poll, listener] = [await takeOne('poll'), await takeOne('listen')];
    await Promise.all([
      starts.commit(poll, { starts: [anEvent(1)], cursor: { at: 1 }, shared: { n: 1 }, next: next(poll) }),
      starts.commit(listener, { starts: [anEvent(2)] }),
    ]);
    expect(await staticData.read(workflowId)).toEqual({ global: { n: 1 }, 'node:Feed': { a: 1 } });
    await expect(
      starts.commit(listener, { starts: [anEvent(3)], shared: { text: 'x'.repeat(5_000_000) } }),
    ).rejects.toMatchObject({
      code: 'STATIC_DATA_TOO_LARGE',
    });
    expect(await inserted()).toHaveLength(2);
    await deactivate();
    await expect(starts.commit(listener, { starts: [], shared: { n: 9 } })).rejects.toEqual(closed);
    expect(await staticData.read(workflowId)).toEqual({ global: { n: 1 }, 'node:Feed': { a: 1 } });
  });

  test('events start executions in order, even if many occur concurrently', async () => {
    await activate(aListener());
    const lease = await takeOne('listen');
    const outcomes = await starts.commit(lease, { starts: Array.from({ length: 20 }, (_, n) => anEvent(n)) });
    const ids = outcomes.map((outcome) => ('id' in outcome ? Number(outcome.id) : outcome));
    expect(ids).toEqual([...ids].sort((a, b) => Number(a) - Number(b)));
  });

  test('a failed commit writes nothing', async () => {
    await activate(aPoll(), aListener());
    await starts.commit(await takeOne('listen'), { starts: [anEvent(0)] });
    const full = new SourceStartRepository(database.db, createQueueGauge(database.db, 1));
    const lease = await takeOne('poll');
    const refused = full.commit(lease, { starts: [anEvent(1)], cursor: { at: 1 }, next: next(lease) });
    await expect(refused).rejects.toMatchObject({ code: 'QUEUE_FULL', retryable: true });
    await sources.release([lease.leaseId]);
    expect(await takeOne('poll')).toMatchObject({ cursor: undefined, tick: lease.tick });
    expect(await inserted()).toHaveLength(1);
  });

  test('a failed commit does not count toward the queue of its project', async () => {
    await activate(aListener());
    const gauge = createQueueGauge(database.db, 1_000);
    const note = jest.spyOn(gauge, 'note');
    const counting = new SourceStartRepository(database.db, gauge);
    const lease = await takeOne('listen');
    const file = { id: 'twice', fileName: null, mimeType: 'text/plain', size: 1 };
    await expect(counting.commit(lease, { starts: [{ ...anEvent(0), files: [file, file] }] })).rejects.toThrow();
    expect(note).not.toHaveBeenCalled();
    await counting.commit(lease, { starts: [anEvent(0)] });
    expect(note).toHaveBeenCalledTimes(1);
  });

  test('a schedule that changes during a poll is not overwritten', async () => {
    await activate(aPoll());
    const lease = await takeOne('poll');
    const later = new Date(Date.now() + 3_600_000);
    await activate({ ...aPoll('a', [{ every: 'minutes', count: 2 }]), nextAt: later });
    await starts.commit(lease, { starts: [], cursor: { at: 1 }, next: next(lease) });
    expect((await triggers())[0]?.nextAt).toEqual(later);
  });

  test('a cursor survives a deactivation but not a change of the fingerprint', async () => {
    await activate(aPoll());
    const first = await takeOne('poll');
    await starts.commit(first, { starts: [], cursor: { at: 1 }, next: next(first) });
    await deactivate();
    await activate(aPoll());
    const lease = await takeOne('poll');
    expect(lease.cursor).toEqual({ at: 1 });
    await sources.release([lease.leaseId]);
    await activate(aPoll('b'));
    expect((await takeOne('poll')).cursor).toBeUndefined();
  });

  describe('after a rename of the node', () => {
    const named = (nodeName: string, nodeId?: string, fingerprint = 'a'): NewTrigger => ({
      ...aPoll(fingerprint),
      nodeName,
      nodeId,
    });
    /** Node name → stored cursor of its poll. */
    async function cursors(): Promise<Record<string, unknown>> {
      await expireAll();
      const leases = await take('poll');
      await sources.release(leases.map(({ leaseId }) => leaseId));
      return Object.fromEntries(leases.map(({ nodeName, cursor }) => [nodeName, cursor?.['of']]));
    }
    async function withCursors(...triggers: NewTrigger[]): Promise<SourceLease[]> {
      await activate(...triggers);
      for (const lease of await take('poll')) {
        await starts.commit(lease, { starts: [], cursor: { of: lease.nodeName }, next: next(lease, -1_000) });
      }
      return take('poll');
    }

    test('a cursor follows its node, and a worker that polls under the old name can no longer write', async () => {
      const [lease] = await withCursors(named('Old', '1'));
      await activate(named('New', '1'));
      expect(await cursors()).toEqual({ New: 'Old' });
      await expect(starts.commit(lease as SourceLease, { starts: [anEvent(1)], cursor: {} })).rejects.toEqual(closed);
    });

    test('nodes keep their cursors when names are swapped or reused', async () => {
      await withCursors(named('A', '1'), named('B', '2'), named('C', '3'));
      await activate(named('B', '1'), named('A', '2'), named('C', '4'), named('D', '3'));
      expect(await cursors()).toEqual({ B: 'A', A: 'B', C: undefined, D: 'C' });
    });

    test('a cursor also follows its node while the workflow is inactive', async () => {
      await withCursors(named('Old', '1'));
      await deactivate();
      await activate(named('New', '1'));
      expect(await cursors()).toEqual({ New: 'Old' });
    });

    test('a node without an ID is identified by its name, or as the only removed node of its type', async () => {
      await withCursors(named('A'), named('B'), named('C', 'x'), named('D', 'x'));
      await activate(named('B'), named('C', 'x'), named('D', 'x'), named('New'));
      expect(await cursors()).toEqual({ B: 'B', C: 'C', D: 'D', New: 'A' });
      await activate(named('E'), named('F'), named('C', 'x'), named('D', 'x'));
      expect(await cursors()).toEqual({ C: 'C', D: 'D', E: undefined, F: undefined });
    });

    test('a node with another source starts without a cursor', async () => {
      await withCursors(named('Old', '1'));
      await activate(named('New', '1', 'b'));
      expect(await cursors()).toEqual({ New: undefined });
    });
  });

  test('start executions in order, unless their key was already used', async () => {
    await activate(aListener());
    const lease = await takeOne('listen');
    const [a, b, again] = await starts.commit(lease, { starts: [anEvent(1, 'a'), anEvent(2), anEvent(1, 'a')] });
    expect([a, b, again]).toEqual([
      { id: expect.any(String), repeated: false },
      { id: expect.any(String), repeated: false },
      { ...a, repeated: true },
    ]);
    expect(await starts.commit(lease, { starts: [anEvent(1, 'a')] })).toEqual([again]);
    expect(await inserted()).toHaveLength(2);
    expect(await starts.statuses((await inserted()).map(({ id }) => id))).toEqual(
      new Map((await inserted()).map(({ id }) => [id, 'new'])),
    );
  });

  test('that arrive during the activation of another version wait for it and start that version', async () => {
    await activate(aListener());
    const lease = await takeOne('listen');
    const { versionId } = await workflows.update(workflowId, all, authorId, all, ({ graph }) => ({
      graph: { ...graph, name: 'two' },
      staticData: null,
    }));
    let commit: Promise<unknown> = Promise.resolve();
    await database.db.kysely.transaction().execute(async (tx) => {
      await new WorkflowRepository(tx).activate(workflowId, all, { versionId }, [aListener()]);
      commit = starts.commit(lease, { starts: [anEvent(1)] }).catch((error: unknown) => error);
      await eventually(() => isLockAwaited(database.db));
    });
    expect(await commit).toEqual([{ id: expect.any(String), repeated: false }]);
    expect(await inserted()).toMatchObject([{ version_id: versionId }]);
  });

  test('of two listeners do not deadlock with concurrent activations', async () => {
    await activate(aListener('a', 'A'), aListener('a', 'B'));
    const leases = await take('listen');
    const work = Array.from({ length: 20 }, (_, n) => starts.commit(leases[n % 2] as SourceLease, { starts: [anEvent(n)] }));
    const failing = leases.map((lease) => sources.succeed(lease));
    await Promise.all([...work, ...failing, activate(aListener('a', 'A'), aListener('a', 'B'))]);
    expect(await inserted()).toHaveLength(20);
  });
});

test('a failure is reported and pauses the trigger for a while, and a success clears it', async () => {
  await activate(aListener());
  const lease = await takeOne('listen');
  await sources.fail(lease, { error: 'no broker', pauseMs: 60_000 });
  expect((await triggers())[0]).toMatchObject({ failures: 1, lastError: 'no broker', retryAt: expect.any(Date), heldBy: null });
  expect(await take('listen')).toEqual([]);
  await sql`UPDATE triggers SET retry_at = now()`.execute(database.db.kysely);
  const again = await takeOne('listen');
  expect(again.failures).toBe(1);
  await sources.succeed(again);
  expect((await triggers())[0]).toMatchObject({ failures: 0, lastError: null, retryAt: null, heldBy: 'worker' });
  await sources.note(again, 'too many at once');
  expect((await triggers())[0]).toMatchObject({ failures: 1, lastError: 'too many at once', retryAt: null, heldBy: 'worker' });
});
