import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { aNode, eventually } from '@sluice/test-support';
import { sql } from 'kysely';
import type { RunningWorker } from '../src/worker.ts';
import type { Fleet } from './support/fleet.ts';
import { SlowFleet } from './support/slow-fleet.ts';

let slow: SlowFleet;
let fleet: Fleet;
beforeEach(async () => {
  slow = await SlowFleet.start({ SHUTDOWN_GRACE_MS: '10', LEASE_MS: '3000' });
  ({ fleet } = slow);
});
afterEach(() => slow.close());

const aRequest = (name: string, path: string) =>
  aNode({ id: name, name, type: 'base.http-request', typeVersion: 4.2, parameters: { url: `${slow.url}${path}` } });
const code = (name: string, jsCode: string) =>
  aNode({ id: name, name, type: 'base.code', typeVersion: 2, parameters: { jsCode } });
const spin = (ms: number) => `const end = Date.now() + ${ms}; while (Date.now() < end); return $input.all()`;

/** A workflow of these nodes in a row; resolves to its ID. */
function aWorkflow(...nodes: ReturnType<typeof aNode>[]): Promise<string> {
  const all = [aNode({ id: 's', name: 'Start', type: 'base.manual-trigger' }), ...nodes];
  const links = all.slice(1).map(({ name }, i) => [all[i]?.name, { main: [[{ node: name, type: 'main', index: 0 }]] }]);
  return slow.aWorkflow('row', { nodes: all, connections: Object.fromEntries(links) });
}

async function start(workflowId: string): Promise<string> {
  const [id] = await slow.run(workflowId);
  return id as string;
}

const shown = async (id: string) => (await fleet.call('GET', `/executions/${id}?includeData=true`)).body;
const untilEnded = (id: string) =>
  eventually(async () => {
    const execution = await shown(id);
    return execution.stoppedAt !== null && execution;
  });

/** Resolves once `count` runs of nodes of the execution are stored. */
const untilStored = (id: string, count: number) =>
  eventually(async () => {
    const { rows } = await sql`SELECT FROM node_runs WHERE execution_id = ${id}`.execute(fleet.db.kysely);
    expect(rows).toHaveLength(count);
  });

/** Resolves once the execution is claimed, and its worker has been shut down in the meantime. */
async function interrupt(worker: RunningWorker, id: string, stored: number): Promise<void> {
  await untilStored(id, stored);
  await eventually(() => expect(worker.context.inFlightExecutions.claimedRefs).not.toEqual([]));
  await fleet.stop(worker);
}

test('continues on another worker at the node that was running, if that node only computes', async () => {
  slow.service.release();
  const workflow = await aWorkflow(
    aRequest('Request', 'once'),
    code('Number', 'return [{ json: { number: Math.random() } }]'),
    code('Slow', spin(1_500)),
    aRequest('Last', 'last'),
  );
  const first = await fleet.work();
  const id = await start(workflow);
  await interrupt(first, id, 3);
  const before = await shown(id);
  expect(before).toMatchObject({ status: 'running', stoppedAt: null });
  await fleet.work();
  const { status, data, startedAt } = await untilEnded(id);
  expect({ status, startedAt }).toEqual({ status: 'success', startedAt: before.startedAt });
  const { runData } = data.resultData;
  expect(Object.keys(runData)).toEqual(['Start', 'Request', 'Number', 'Slow', 'Last']);
  expect(Object.values(runData).map((runs) => (runs as unknown[]).length)).toEqual([1, 1, 1, 1, 1]);
  expect(runData.Number).toEqual(before.data.resultData.runData.Number);
  expect(slow.service.paths).toEqual(['/once', '/last']);
});

test('ends as `crashed` if the running node may have had effects', async () => {
  const worker = await fleet.work();
  const id = await start(await aWorkflow(code('Code', 'return $input.all()'), aRequest('Request', 'hangs')));
  await eventually(() => expect(slow.service.received).toBe(1));
  await fleet.stop(worker);
  expect(await shown(id)).toMatchObject({
    status: 'crashed',
    data: { resultData: { error: { name: 'WorkerShutdownError', code: 'WORKER_SHUTDOWN' } } },
  });
});

test('continues after a wait', async () => {
  slow.service.release();
  const wait = aNode({
    id: 'w',
    name: 'Wait',
    type: 'base.wait',
    typeVersion: 1.1,
    parameters: { amount: 2, unit: 'seconds' },
  });
  const first = await fleet.work();
  const id = await start(await aWorkflow(aRequest('Request', 'once'), wait, code('Slow', spin(1_500))));
  await interrupt(first, id, 3);
  await fleet.work();
  expect(await untilEnded(id)).toMatchObject({ status: 'success' });
  expect(slow.service.paths).toEqual(['/once']);
});

test('is first in the queue', async () => {
  const workflow = await aWorkflow(code('Slow', spin(700)));
  const first = await fleet.work({}, { CONCURRENCY: '1' });
  const id = await start(workflow);
  await eventually(() => expect(first.context.inFlightExecutions.claimedRefs).not.toEqual([]));
  const others = await slow.run(workflow, 3);
  await fleet.stop(first);
  await fleet.work({}, { CONCURRENCY: '1' });
  const ends = await Promise.all([id, ...others].map(untilEnded));
  const [own, ...later] = ends.map(({ stoppedAt }) => Date.parse(stoppedAt));
  expect(ends.map(({ status }) => status)).toEqual(['success', 'success', 'success', 'success']);
  expect(Math.min(...later)).toBeGreaterThan(own as number);
});

test('has the rest of its time limit', async () => {
  const workflow = await slow.aWorkflow('row', {
    nodes: [aNode({ id: 's', name: 'Start', type: 'base.manual-trigger' }), code('Slow', spin(60_000))],
    connections: { Start: { main: [[{ node: 'Slow', type: 'main', index: 0 }]] } },
    settings: { executionTimeout: 3 },
  });
  const first = await fleet.work();
  const id = await start(workflow);
  await interrupt(first, id, 1);
  const { rows } = await sql<{ timeout_ms: number }>`SELECT timeout_ms FROM executions WHERE id = ${id}`.execute(
    fleet.db.kysely,
  );
  expect(rows[0]?.timeout_ms).toBeLessThan(3_000);
  await fleet.work();
  expect(await untilEnded(id)).toMatchObject({
    status: 'error',
    data: { resultData: { error: { code: 'EXECUTION_TIMEOUT' } } },
  });
});

test('ends as `crashed` if workers have been shut down while it ran too often', async () => {
  const worker = await fleet.work();
  const id = await start(await aWorkflow(code('Slow', spin(60_000))));
  await untilStored(id, 1);
  await sql`UPDATE executions SET handed_back = 10 WHERE id = ${id}`.execute(fleet.db.kysely);
  await fleet.stop(worker);
  expect(await shown(id)).toMatchObject({ status: 'crashed' });
});
