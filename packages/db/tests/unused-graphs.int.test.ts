import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { ExecutionRepository, ExecutionStarter, encodeGraph, GraphRepository, WorkflowRepository } from '@sluice/db';
import type { ExecutionId } from '@sluice/domain';
import { aSmallWorkflow, eventually, type TestDatabase, testDatabase } from '@sluice/test-support';
import { sql } from 'kysely';
import { Access } from '../src/access.ts';
import { ensureBootstrap } from '../src/bootstrap.ts';
import { ExpiredRowRepository } from '../src/maintenance/expired-row-repository.ts';
import { TestUrlRepository } from '../src/triggers/test-url-repository.ts';
import { UserRepository } from '../src/users/user-repository.ts';
import { anExecution, aStoredWorkflow, type StoredWorkflow, startExecutions } from './a-workflow.ts';

let database: TestDatabase;
let workflow: StoredWorkflow;
let expired: ExpiredRowRepository;

beforeEach(async () => {
  database = await testDatabase();
  workflow = await aStoredWorkflow(database.db);
  expired = new ExpiredRowRepository(database.db.kysely);
});
afterEach(() => database.drop());

/** Stores a graph with this name that no version uses. */
async function store(name: string): Promise<string> {
  const graph = await encodeGraph({ ...aSmallWorkflow(), name });
  await new GraphRepository(database.db.kysely).store(workflow.workflowId, graph);
  return graph.hash;
}
async function start(graphHash: string): Promise<ExecutionId> {
  const [id] = await startExecutions(database.db, [anExecution(workflow, { graphHash })]);
  return id as ExecutionId;
}
async function end(id: ExecutionId, status = 'success'): Promise<void> {
  await sql`ALTER TABLE executions DISABLE TRIGGER USER`.execute(database.db.kysely);
  const stoppedAt = status === 'waiting' || status === 'running' ? null : sql`now()`;
  await sql`UPDATE executions SET status = ${status}, stopped_at = ${stoppedAt} WHERE id = ${id}`.execute(database.db.kysely);
  await sql`ALTER TABLE executions ENABLE TRIGGER USER`.execute(database.db.kysely);
}
async function owner() {
  const user = await new UserRepository(database.db.kysely).findOwner();
  if (!user) throw new Error('there is no owner');
  return user;
}
/** Simulates the passage of a day. */
async function pass(): Promise<void> {
  await sql`UPDATE workflow_graphs SET check_at = check_at - interval '1 day'`.execute(database.db.kysely);
}
async function check(): Promise<void> {
  while (await expired.deleteUnusedGraphs());
}
async function hashes(): Promise<string[]> {
  const rows = await database.db.kysely.selectFrom('workflow_graphs').select('hash').execute();
  return rows.map(({ hash }) => hash).sort();
}
/** Statements of this database that wait for a lock. */
async function waitingStatements(): Promise<number> {
  const { rows } = await sql<{ n: number }>`SELECT count(*)::int AS n FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(database.db.kysely);
  return rows[0]?.n ?? 0;
}
const executionIds = async () =>
  (await database.db.kysely.selectFrom('executions').select('id').orderBy('id').execute()).map(({ id }) => id);

test('unused graphs are deleted a day after they were stored, in several batches', async () => {
  const unused = await Promise.all(Array.from({ length: 45 }, (_, i) => store(`unused ${i}`)));
  await check();
  expect(await hashes()).toEqual([workflow.graphHash, ...unused].sort());
  await pass();
  const young = await store('young');
  await check();
  expect(await hashes()).toEqual([workflow.graphHash, young].sort());
});

test('graphs of versions, and of live and ended executions, are kept; graphs of deleted executions are not', async () => {
  const used = [];
  for (const status of ['new', 'running', 'waiting', 'success', 'error', 'canceled', 'crashed']) {
    const hash = await store(status);
    const id = await start(hash);
    if (status !== 'new') await end(id, status);
    used.push({ id, hash });
  }
  const ended = used.slice(3).map(({ id }) => id);
  for (let day = 0; day < 3; day++) {
    await pass();
    await check();
    expect(await hashes()).toEqual([workflow.graphHash, ...used.map(({ hash }) => hash)].sort());
  }
  expect(await executionIds()).toEqual(used.map(({ id }) => id));
  await new ExecutionRepository(database.db).deleteMany(ended, () => undefined);
  await pass();
  await check();
  expect(await hashes()).toEqual([workflow.graphHash, ...used.slice(0, 3).map(({ hash }) => hash)].sort());
  expect(await executionIds()).toEqual(used.slice(0, 3).map(({ id }) => id));
});

test('a graph that a version uses later is never deleted or checked again', async () => {
  await ensureBootstrap(database.db.kysely, { bootstrapApiKey: null });
  const { id: authorId } = await owner();
  const workflows = new WorkflowRepository(database.db.kysely);
  const hash = await store('saved later');
  const everyone = new Access('all');
  for (const name of ['saved later', 'newest'])
    await workflows.update(workflow.workflowId, everyone, authorId, everyone, (current) => ({
      ...current,
      graph: { ...aSmallWorkflow(), name },
    }));
  await pass();
  await check();
  expect(await hashes()).toContain(hash);
  const checked = database.db.kysely.selectFrom('workflow_graphs').select('hash').where('check_at', 'is not', null);
  expect(await checked.execute()).toEqual([]);
});

test('the graph of open test URLs is kept', async () => {
  await ensureBootstrap(database.db.kysely, { bootstrapApiKey: null });
  const { id: userId } = await owner();
  const hash = await store('tested');
  await new TestUrlRepository(database.db).open({ workflowId: workflow.workflowId, graphHash: hash, userId, triggers: [] });
  await pass();
  await check();
  expect(await hashes()).toContain(hash);
});

test('storing a graph again keeps it for another day', async () => {
  const [again, once] = [await store('again'), await store('once')];
  await sql`UPDATE workflow_graphs SET check_at = now() - interval '1 minute' WHERE hash = ANY (${[again, once]}::text[])`.execute(
    database.db.kysely,
  );
  await store('again');
  await check();
  expect(await hashes()).toEqual([workflow.graphHash, again].sort());
});

test('a graph is kept while a start that uses it has not committed', async () => {
  const hash = await store('starting');
  await pass();
  await database.db.kysely.transaction().execute(async (tx) => {
    await sql`INSERT INTO executions (workflow_id, project_id, graph_hash, status, mode)
      VALUES (${workflow.workflowId}, ${workflow.projectId}, ${hash}, 'new', 'manual')`.execute(tx);
    await check();
  });
  await check();
  expect(await hashes()).toContain(hash);
  expect(await executionIds()).toHaveLength(1);
});

test('a graph stored while it is being deleted exists afterwards', async () => {
  const hash = await store('going');
  await pass();
  const storing = await database.db.kysely.transaction().execute(async (tx) => {
    await tx.deleteFrom('workflow_graphs').where('hash', '=', hash).execute();
    const again = store('going');
    await eventually(async () => expect(await waitingStatements()).toBe(1));
    return { again };
  });
  await storing.again;
  await start(hash);
  expect(await hashes()).toContain(hash);
});

test('concurrent starts with the same graph succeed and keep it while it is checked and deleted', async () => {
  const starter = new ExecutionStarter(database.db);
  const deleted = new Set<string>();
  for (let round = 0; round < 60; round++) {
    const hash = await store('contended');
    await database.db.kysely.deleteFrom('executions').execute();
    await sql`UPDATE workflow_graphs SET check_at = now() - interval '1 minute' WHERE hash = ${hash}`.execute(
      database.db.kysely,
    );
    const starts = Array.from({ length: 4 }, async () => {
      await delay(Math.random() * 6);
      const graphHash = await store('contended');
      return starter.start(anExecution(workflow, { graphHash }));
    });
    const checks = Array.from({ length: 3 }, async () => {
      await delay(Math.random() * 6);
      await check();
    });
    const ids = await Promise.all(starts);
    await Promise.all(checks);
    expect(await executionIds()).toEqual(ids.toSorted((a, b) => Number(a) - Number(b)));
    const { created_at } = await database.db.kysely
      .selectFrom('workflow_graphs')
      .select('created_at')
      .where('hash', '=', hash)
      .executeTakeFirstOrThrow();
    deleted.add(created_at.toISOString());
  }
  // The graph was deleted and stored again in some rounds.
  expect(deleted.size).toBeGreaterThan(1);
});

test('an execution keeps its graph even if it refers to a version with another graph', async () => {
  const hash = await store('a graph');
  const id = await start(hash);
  await sql`UPDATE executions SET version_id = (SELECT id FROM workflow_versions) WHERE id = ${id}`.execute(database.db.kysely);
  await pass();
  await check();
  expect(await executionIds()).toEqual([id]);
  expect(await hashes()).toContain(hash);
});

test('graphs that were sent with runs of a workflow use at most 1 GiB', async () => {
  const { kysely } = database.db;
  const graphs = new GraphRepository(kysely);
  const encoded = await encodeGraph({ ...aSmallWorkflow(), name: 'known' });
  const other = await encodeGraph({ ...aSmallWorkflow(), name: 'other' });
  await graphs.storeForRun(workflow.workflowId, encoded);
  await sql`UPDATE workflow_graphs SET bytes = 1024 * 1024 * 1024 - 8192`.execute(kysely);
  const refused = { code: 'STORAGE_QUOTA_EXCEEDED' };
  await expect(graphs.storeForRun(workflow.workflowId, other)).rejects.toMatchObject(refused);
  await graphs.storeForRun(workflow.workflowId, encoded);
  const neighbor = await aStoredWorkflow(database.db);
  await graphs.storeForRun(neighbor.workflowId, other);
  // Graphs of versions do not count.
  await kysely.deleteFrom('workflow_graphs').where('hash', '=', encoded.hash).execute();
  await graphs.storeForRun(workflow.workflowId, other);
});
