import { afterAll, beforeEach, expect, test } from '@jest/globals';
import {
  Access,
  CallableWorkflowRepository,
  ErrorStartRepository,
  ExecutionRepository,
  encodeGraph,
  GraphRepository,
  RunDataRepository,
  WorkerRepository,
  WorkflowRepository,
} from '@sluice/db';
import type { ExecutionId } from '@sluice/domain';
import { aSmallWorkflow, testDatabase } from '@sluice/test-support';
import { sql } from 'kysely';
import { aStoredWorkflow, type StoredWorkflow } from './a-workflow.ts';
import { TestWorker } from './run-executions.ts';

const all = new Access('all');
/** The error workflow of `failing`. */
let target: StoredWorkflow;

const database = await testDatabase();
const executions = new ExecutionRepository(database.db);
const workers = new WorkerRepository(database.db);
const worker = await TestWorker.register(database.db);
afterAll(() => database.drop());

let starts: ErrorStartRepository;
let failing: StoredWorkflow;

beforeEach(async () => {
  target = await aStoredWorkflow(database.db);
  starts = new ErrorStartRepository(database.db.kysely, (id) => `http://here/${id}`);
  failing = await inProjectOf(target, { errorWorkflow: target.workflowId });
});

/** A workflow in the same project, with these settings. */
async function inProjectOf({ projectId }: StoredWorkflow, settings: object): Promise<StoredWorkflow> {
  const stored = await aStoredWorkflow(database.db);
  await sql`UPDATE workflows SET project_id = ${projectId} WHERE id = ${stored.workflowId}`.execute(database.db.kysely);
  const graph = await encodeGraph({ ...aSmallWorkflow(), settings: { ...settings } });
  await new GraphRepository(database.db.kysely).store(stored.workflowId, graph);
  return { ...stored, projectId, graphHash: graph.hash };
}

const startAll = async () => (await Promise.all([starts.startSome(), starts.startSome()])).flatMap(({ started }) => started);

test('an error workflow is started once for a failure, with its data', async () => {
  const id = await worker.running(failing, 'webhook');
  await worker.end(id, { status: 'error' });
  const [started, ...more] = await startAll();
  expect(more).toEqual([]);
  const errorRun = await executions.get(started?.executionId ?? '', all);
  expect(errorRun).toMatchObject({ workflowId: target.workflowId, status: 'new', mode: 'trigger' });
  const { trigger } = await new RunDataRepository(database.db).findInput(errorRun.id);
  expect(trigger).toEqual({
    type: 'error-trigger',
    items: [
      {
        json: {
          execution: {
            id,
            url: `http://here/${id}`,
            error: { message: 'no stock', node: 'Set' },
            lastNodeExecuted: 'Set',
            mode: 'webhook',
          },
          workflow: { id: failing.workflowId, name: 'a workflow' },
        },
      },
    ],
  });
  expect(await startAll()).toEqual([]);
});

test.each([
  ['a crash', (id: ExecutionId) => workers.crashForgotten(worker.id, [{ executionId: id, attempt: 1 }])],
  [
    'an expired deadline',
    async (id: ExecutionId) => {
      await sql`UPDATE executions SET deadline_at = now() - interval '1 minute' WHERE id = ${id}`.execute(database.db.kysely);
      await workers.endOverdue(0);
    },
  ],
])('an error workflow is started for %s', async (_, fail) => {
  const id = await worker.running(failing, 'trigger');
  await fail(id);
  expect(await startAll()).toHaveLength(1);
});

test.each<[string, () => Promise<unknown>]>([
  ['a manual run', async () => worker.end(await worker.running(failing, 'manual'), { status: 'error' })],
  ['a success', async () => worker.end(await worker.running(failing, 'trigger'))],
  ['a stopped run', async () => executions.cancel(await worker.running(failing, 'trigger'), all)],
])('an error workflow is not started for %s', async (_, run) => {
  await run();
  expect(await startAll()).toEqual([]);
});

test('an error workflow is not started for a sub-execution of a manual run', async () => {
  const id = await worker.running(target);
  await worker.toCall(id, failing, 1);
  const [child] = (await worker.childrenOf(id)) as [ExecutionId];
  await worker.end(child, { status: 'error' });
  expect(await startAll()).toEqual([]);
});

test('an error workflow that fails, or whose retry fails, does not start another error workflow', async () => {
  const selfish = await inProjectOf(target, { errorWorkflow: failing.workflowId });
  await worker.end(await worker.running(selfish, 'trigger'), { status: 'error' });
  const [started] = await startAll();
  await sql`UPDATE executions SET graph_hash = ${failing.graphHash} WHERE id = ${started?.executionId}`.execute(
    database.db.kysely,
  );
  await worker.end(started?.executionId ?? '', { status: 'error' });
  expect(await startAll()).toEqual([]);
  const original = await executions.get(started?.executionId ?? '', all);
  const retry = await executions.retry({
    original,
    access: all,
    graphHash: original.graphHash,
    versionId: null,
    userId: null,
    keep: 'none',
  });
  await worker.end(retry.id, { status: 'error' });
  expect(await startAll()).toEqual([]);
});

test('an error workflow is started even if the error contains strings that Postgres cannot parse', async () => {
  const odd = await inProjectOf(target, { callerPolicy: 'any', note: 'NUL \u0000, \\u0000, half a pair \ud83d' });
  await sql`UPDATE workflow_versions SET graph_hash = ${odd.graphHash} WHERE workflow_id = ${odd.workflowId}`.execute(
    database.db.kysely,
  );
  const own = await inProjectOf(target, { errorWorkflow: odd.workflowId });
  await worker.end(await worker.running(own, 'trigger'), { status: 'error' });
  await worker.end(await worker.running(failing, 'trigger'), { status: 'error' });
  expect(await startAll()).toHaveLength(2);
  const callable = await new CallableWorkflowRepository(database.db.kysely).find(odd.workflowId, own.workflowId);
  expect(callable).toMatchObject({ newestHash: odd.graphHash, settings: { callerPolicy: 'any' } });
});

test('an error workflow is not started if it was deleted, or is in another project and does not allow it', async () => {
  const elsewhere = await aStoredWorkflow(database.db);
  const deleted = await aStoredWorkflow(database.db);
  const naming = [elsewhere, deleted].map(async ({ workflowId: errorWorkflow }) => ({
    errorWorkflow,
    own: await inProjectOf(target, { errorWorkflow }),
  }));
  const named = await Promise.all(naming);
  await new WorkflowRepository(database.db.kysely).delete(deleted.workflowId, all);
  for (const { errorWorkflow, own } of named) {
    const id = await worker.running(own, 'trigger');
    await worker.end(id, { status: 'error' });
    expect(await starts.startSome()).toEqual({ started: [], refused: [{ executionId: id, errorWorkflowId: errorWorkflow }] });
  }
});
