import { afterEach, beforeEach, expect, test } from '@jest/globals';
import {
  Access,
  ChatSessionRepository,
  createDatabase,
  encodeGraph,
  GraphRepository,
  SeenHistoryRepository,
  WorkflowQuotaRepository,
  WorkflowRepository,
} from '@sluice/db';
import { randomId } from '@sluice/domain';
import { aSmallWorkflow, eventually, type TestDatabase, testDatabase } from '@sluice/test-support';
import { sql } from 'kysely';
import { aStoredWorkflow, type StoredWorkflow } from './a-workflow.ts';

let database: TestDatabase;
let quota: WorkflowQuotaRepository;
let stored: StoredWorkflow;

beforeEach(async () => {
  database = await testDatabase();
  quota = new WorkflowQuotaRepository(database.db.kysely, { maxBytes: 300_000, maxAgeMs: 0 });
  stored = await aStoredWorkflow(database.db);
});
afterEach(() => database.drop());

const used = () => quota.bytesOf(stored.projectId);
const withText = (text: string) => ({ ...aSmallWorkflow(), pinData: { A: [{ json: { text } }] } });
const largeGraph = () => encodeGraph(withText(randomId().repeat(10_000)));

test('versions, graphs of runs, static data, metadata, conversations, and seen values of all workflows of the project count', async () => {
  const { kysely } = database.db;
  const before = await used();
  const graph = await largeGraph();
  await new GraphRepository(kysely).storeForRun(stored.workflowId, graph);
  const withGraph = await used();
  expect(withGraph - before).toBeGreaterThan(graph.bytes);

  const json = JSON.stringify({ text: Array.from({ length: 5_000 }, () => randomId()).join('') }); // cannot be compressed much
  await kysely.updateTable('workflows').set({ static_data: json, meta: json }).where('id', '=', stored.workflowId).execute();
  const withData = await used();
  expect(withData - withGraph).toBeGreaterThan(json.length);

  const chats = new ChatSessionRepository(kysely, { maxBytesPerWorkflow: 1_000_000 });
  const { workflowId } = stored;
  await chats.append({ workflowId, key: 'a' }, [{ role: 'user', content: json.slice(0, 50_000) }]);
  const withChat = await used();
  expect(withChat - withData).toBeGreaterThan(20_000);
  const history = new SeenHistoryRepository(kysely);
  const values = Array.from({ length: 1_000 }, randomId);
  for (const scope of ['id:a', 'id:b']) await history.add({ workflowId, scope }, values, 1_000);
  await history.passMark({ workflowId, scope: 'id:c' }, 'number', [1]);
  expect((await used()) - withChat).toBe(2_001 * 300);
  expect(await quota.bytesOf('another')).toBe(0);
});

test('a project at its quota stores new content only after a workflow is deleted', async () => {
  const { kysely } = database.db;
  const { projectId, workflowId } = stored;
  const [all, authorId] = [new Access('all'), randomId()];
  await kysely.insertInto('users').values({ id: authorId, email: 'a@example.org', role: 'member' }).execute();
  const workflows = new WorkflowRepository(kysely, quota);
  const graphs = new GraphRepository(kysely, quota);
  const create = (text: string) =>
    workflows.create({ projectId, graph: withText(text), staticData: null, meta: null, authorId, tags: [] }, all);
  const save = (text: string) =>
    workflows.update(workflowId, all, authorId, all, (current) => ({ ...current, graph: withText(text), tags: undefined }));
  await save('first');
  const { id: large } = await create('x'.repeat(300_000));
  await eventually(() => quota.isFull(projectId));

  const refusal = { code: 'STORAGE_QUOTA_EXCEEDED', message: expect.stringContaining('workflows') };
  await expect(create('another')).rejects.toMatchObject(refusal);
  await expect(save('second')).rejects.toMatchObject(refusal);
  await expect(graphs.storeForRun(workflowId, await largeGraph())).rejects.toMatchObject(refusal);
  await graphs.storeForRun(workflowId, await encodeGraph(withText('first')));
  expect((await save('first')).graph).toMatchObject(withText('first'));

  const { workflowId: foreign, projectId: otherId } = await aStoredWorkflow(database.db);
  const transfer = (id: string, to: string) => workflows.transfer(id, all, to, async () => undefined);
  await expect(transfer(foreign, projectId)).rejects.toMatchObject(refusal);
  expect((await transfer(large, projectId)).projectId).toBe(projectId);
  expect((await transfer(large, otherId)).projectId).toBe(otherId);

  await workflows.delete(large, all);
  await eventually(() => !quota.isFull(projectId));
  expect((await save('second')).graph).toMatchObject(withText('second'));
});

test('the workflows of a project are summed up in pages', async () => {
  const { kysely } = database.db;
  const { projectId } = stored;
  const before = await used();
  await sql`INSERT INTO workflows (id, name, project_id, version_id) SELECT 'copy-' || i, 'copy', ${projectId}, version_id
    FROM workflows, generate_series(1, 45) AS i WHERE id = ${stored.workflowId}`.execute(kysely);
  expect((await used()) - before).toBe(45 * 8_192);
});

test('a project whose bytes cannot be summed up in time is full, until they can', async () => {
  const { projectId } = stored;
  const impatient = createDatabase({ url: database.url, poolSize: 1, statementTimeoutMs: 50 });
  const strict = new WorkflowQuotaRepository(impatient.kysely, { maxBytes: 300_000, maxAgeMs: 0, now: () => 0 });
  await database.db.kysely.transaction().execute(async (tx) => {
    await sql`LOCK TABLE chat_sessions`.execute(tx);
    await eventually(() => strict.isFull(projectId));
  });
  await eventually(() => !strict.isFull(projectId));
  await impatient.close();
});
