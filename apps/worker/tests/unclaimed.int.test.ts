import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { Access, ExecutionRecorder, ExecutionRepository, ExecutionStarter, WorkflowRepository } from '@sluice/db';
import { isTerminal, randomId, type WorkflowNode } from '@sluice/domain';
import { aChain, aNode, eventually } from '@sluice/test-support';
import { sql } from 'kysely';
import { Fleet } from './support/fleet.ts';

const access = new Access('all');
const fleet = await Fleet.start();
const { kysely } = fleet.db;
const projectId = await fleet.aProject();
const first = await fleet.work();
// Every change of a status, in order.
await sql`CREATE TABLE moves (id bigint, status text, at bigint GENERATED ALWAYS AS IDENTITY)`.execute(kysely);
await sql`CREATE FUNCTION log_move() RETURNS trigger LANGUAGE plpgsql AS
  'BEGIN INSERT INTO moves (id, status) VALUES (NEW.id, NEW.status); RETURN NULL; END'`.execute(kysely);
await sql`CREATE TRIGGER log_moves AFTER UPDATE OF status ON executions FOR EACH ROW
  WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION log_move()`.execute(kysely);
afterAll(() => fleet.close());

const code = (jsCode: string) => aNode({ name: 'Code', type: 'base.code', typeVersion: 2, parameters: { jsCode } });
const spin = (ms: number) => code(`const end = Date.now() + ${ms}; while (Date.now() < end); return [{ json: { ok: true } }]`);
// The request is refused, because nodes may not connect to the machine itself.
const http = () =>
  aNode({ name: 'HTTP', type: 'base.http-request', typeVersion: 4.2, parameters: { url: 'http://127.0.0.1:9/' } });

let stored: { workflowId: string; graphHash: string };

async function store(node: WorkflowNode): Promise<void> {
  const graph = aChain([aNode({ name: 'Start', type: 'base.manual-trigger' }), node]);
  const created = { projectId, graph, staticData: null, meta: null, authorId: fleet.userId };
  const { id, graphHash } = await new WorkflowRepository(kysely).create(created, access);
  stored = { workflowId: id, graphHash };
}

const insert = () => new ExecutionStarter(fleet.db).start({ ...stored, access, mode: 'trigger', userId: null });

/** Runs the workflow, and returns the statuses that its execution had after `new`. */
async function statuses(): Promise<string[]> {
  const executionId = await insert();
  await fleet.queue.enqueue({ executionId, attempt: 1, workflowId: stored.workflowId });
  await ended(executionId);
  const { rows } = await sql<{ status: string }>`SELECT status FROM moves WHERE id = ${executionId} ORDER BY at`.execute(
    kysely,
  );
  return rows.map(({ status }) => status);
}

const ended = (executionId: string) =>
  eventually(
    async () => {
      const execution = await new ExecutionRepository(fleet.db).get(executionId, access);
      return isTerminal(execution.status) && execution;
    },
    { timeoutMs: 30_000 },
  );

beforeEach(() => store(spin(0)));

test('a short execution that only computes ends unclaimed, once its workflow has run on the worker', async () => {
  expect(await statuses()).toEqual(['running', 'success']);
  await eventually(async () => expect(await statuses()).toEqual(['success'])); // on a slow machine, a run may take too long
  const changed = { ...stored };
  await store(spin(1));
  expect(stored).not.toEqual(changed);
  expect(await statuses()).toEqual(['running', 'success']);
});

test('its error is recorded', async () => {
  await store(code('throw new Error("no")'));
  expect(await statuses()).toEqual(['running', 'error']);
  await eventually(async () => expect(await statuses()).toEqual(['error']));
});

test('a longer one is claimed while it runs', async () => {
  await store(spin(400));
  for (let run = 0; run < 2; run += 1) expect(await statuses()).toEqual(['running', 'success']);
});

test.each<[string, () => WorkflowNode]>([
  ['with external effects', http],
  ['that stores static data', () => code('$getWorkflowStaticData("global").n = Math.random(); return []')],
  [
    'that stores a file',
    () => code('return [{ json: {}, binary: { data: await this.helpers.prepareBinaryData(Buffer.from("a")) } }]'),
  ],
])('a workflow %s is claimed', async (_, node) => {
  await store(node());
  for (let run = 0; run < 2; run += 1) expect(await statuses()).toContain('running');
});

test('an execution to which a limit applies before its claim starts again at once', async () => {
  await store(spin(400));
  await statuses();
  const executionId = await insert();
  await fleet.queue.enqueue({ executionId, attempt: 1, workflowId: stored.workflowId });
  await delay(50); // if it has not started yet, or was claimed already, it just runs
  await sql`INSERT INTO execution_limits (workflow_id, max_running) VALUES (${stored.workflowId}, 1)`.execute(kysely);
  const { createdAt, stoppedAt } = await ended(executionId);
  expect(Number(stoppedAt) - createdAt.getTime()).toBeLessThan(8_000); // a lost job is enqueued again after ten seconds
});

test('if the worker is shut down while it runs unclaimed, it starts again on another worker at once', async () => {
  await store(spin(120));
  const closing = await fleet.work();
  await fleet.stop(first);
  for (let run = 0; run < 2; run += 1) await statuses();
  const { inFlightExecutions } = closing.context;
  const executionId = await eventually(async () => {
    const id = await insert();
    await fleet.queue.enqueue({ executionId: id, attempt: 1, workflowId: stored.workflowId });
    while (inFlightExecutions.running === 0) await nextTurn();
    return inFlightExecutions.claimedRefs.length === 0 ? id : ended(id).then(() => false as const); // claimed: the machine was busy
  });
  const [stopped] = [fleet.stop(closing), closing.stop()]; // the second call ends the grace period
  await fleet.work();
  const { createdAt, stoppedAt, status } = await ended(executionId);
  expect(status).toBe('success');
  expect(Number(stoppedAt) - createdAt.getTime()).toBeLessThan(8_000); // a lost job is enqueued again after ten seconds
  await stopped;
});

test('if the worker dies while it runs unclaimed, another worker runs it', async () => {
  const dead = new ExecutionRecorder(fleet.db, randomId);
  const unclaimed = await eventually(
    async () => (await dead.runUnclaimed({ executionId: await insert(), attempt: 1, graphHash: stored.graphHash })) ?? false,
  );
  const { executionId } = unclaimed;
  expect(await ended(executionId)).toMatchObject({ status: 'success' });
  expect(await dead.finish({ ...unclaimed, error: null, status: 'success' })).toBe(false);
}, 60_000);
