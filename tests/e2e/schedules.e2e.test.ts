import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import type { JsonObject, WorkflowNode, WorkflowSettings } from '@sluice/domain';
import { aChain, aNode, eventually } from '@sluice/test-support';
import { type RunningProcess, startService, startWorker } from './harness.ts';
import { stopIn } from './support/cleanup.ts';
import { queryDatabase } from './support/database.ts';
import { LoopbackServer } from './support/loopback-server.ts';
import { createWorkflow, expectStatus, run } from './support/runs.ts';
import { aCall, aSet } from './support/workflows.ts';

const stopAfterAll = stopIn(afterAll);
const stopAfterEach = stopIn(afterEach);

const server = stopAfterAll(await LoopbackServer.start());
/** Starts no worker: each test starts its own. */
const service = stopAfterAll(await startService({ settings: { WORKERS: '0' } }));

async function startOwnWorker(): Promise<RunningProcess> {
  const urls = { DATABASE_URL: service.databaseUrl, REDIS_URL: service.redisUrl };
  return stopAfterEach(await startWorker({ ...urls, SSRF_ALLOW: '127.0.0.1', LEASE_MS: '3000' }));
}

const clock = (interval: JsonObject): WorkflowNode =>
  aNode({ name: 'Clock', type: 'base.schedule-trigger', typeVersion: 1.2, parameters: { rule: { interval: [interval] } } });
const everySecond = clock({ field: 'seconds', secondsInterval: 1 });

async function activate(nodes: WorkflowNode[], settings: WorkflowSettings = {}): Promise<string> {
  const id = await createWorkflow(service, aChain(nodes, { settings }));
  expectStatus(await service.call('POST', `/workflows/${id}/activate`, {}), 200);
  return id;
}

const deactivate = async (id: string) => expectStatus(await service.call('POST', `/workflows/${id}/deactivate`, {}), 200);
const triggerOf = async (id: string) => expectStatus(await service.call('GET', `/workflows/${id}/triggers`), 200).data[0];

interface Started {
  id: string;
  status: string;
  /** Timestamp of its trigger, in milliseconds since the epoch. */
  tick: number;
}

async function startedBy(workflowId: string): Promise<Started[]> {
  const rows = await queryDatabase<{ id: string; status: string; data: Buffer }>(
    service.databaseUrl,
    `SELECT e.id, e.status, i.data FROM executions e JOIN execution_inputs i ON i.execution_id = e.id
      WHERE e.workflow_id = $1 AND e.mode = 'trigger' ORDER BY e.id`,
    [workflowId],
  );
  return rows.map(({ id, status, data }) => {
    const tick = Date.parse(JSON.parse(data.subarray(1).toString()).trigger.items[0].json.timestamp);
    return { id, status, tick };
  });
}

/** Makes the schedule overdue by `ms`. */
async function makeOverdue(workflowId: string, ms: number): Promise<void> {
  const text = `UPDATE triggers SET next_at = date_trunc('second', now() - $2 * interval '1 millisecond') WHERE workflow_id = $1`;
  await queryDatabase(service.databaseUrl, text, [workflowId, ms]);
}

test('each tick starts exactly one execution while one of two workers is killed repeatedly', async () => {
  const workflowId = await activate([everySecond, aSet('Set', '={{ { at: $json.timestamp } }}')]);
  await startOwnWorker();
  for (let round = 0; round < 3; round += 1) {
    const victim = await startOwnWorker();
    await delay(2_500);
    await victim.kill();
  }
  await deactivate(workflowId);
  const started = await startedBy(workflowId);
  expect(started.length).toBeGreaterThan(6);
  const first = started[0]?.tick ?? 0;
  expect(started.map(({ tick }) => tick)).toEqual(started.map((_, i) => first + i * 1_000));
  await eventually(async () => {
    const open = (await startedBy(workflowId)).filter(({ status }) => status === 'new' || status === 'running');
    expect(open).toEqual([]);
  });
  await delay(2_000);
  expect(await startedBy(workflowId)).toHaveLength(started.length);
});

test('a deactivated schedule starts nothing after the response, while others continue', async () => {
  await startOwnWorker();
  const [stopped, other] = [await activate([everySecond]), await activate([everySecond])];
  await eventually(async () => expect((await startedBy(stopped)).length).toBeGreaterThan(1));
  await deactivate(stopped);
  const before = await startedBy(stopped);
  const ticks = (await startedBy(other)).length;
  await eventually(async () => expect((await startedBy(other)).length).toBeGreaterThan(ticks + 2));
  expect((await startedBy(stopped)).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  await deactivate(other);
});

test('in a manual run, a schedule trigger returns the current time in the time zone of the workflow', async () => {
  await startOwnWorker();
  const nodes = [clock({ field: 'days' }), aSet('Set', '={{ { at: $json.timestamp } }}')];
  const id = await createWorkflow(service, aChain(nodes, { settings: { timezone: 'Asia/Tokyo' } }));
  const { status, data } = await run(service, id);
  expect(status).toBe('success');
  const { timestamp, Timezone } = data.resultData.runData.Clock[0].data.main[0][0].json;
  expect(Timezone).toBe('Asia/Tokyo (UTC+09:00)');
  expect(timestamp).toMatch(/\+09:00$/);
  expect(Math.abs(Date.now() - Date.parse(timestamp))).toBeLessThan(600_000);
});

describe('after three hours without a worker', () => {
  const hours = 3 * 3_600_000;

  test('missed ticks are skipped, and the trigger shows the reason', async () => {
    const workflowId = await activate([clock({ field: 'minutes', minutesInterval: 30 })]);
    await makeOverdue(workflowId, hours);
    await startOwnWorker();
    const trigger = await eventually(async () => {
      const current = await triggerOf(workflowId);
      expect(current.lastSkip).toMatchObject({ reason: 'missed' });
      return current;
    });
    expect(Date.parse(trigger.nextRunAt)).toBeGreaterThan(Date.now() - 1_000);
    expect(await startedBy(workflowId)).toEqual([]);
  });

  test('misfirePolicy: once starts one execution for all missed ticks', async () => {
    const nodes = [clock({ field: 'minutes', minutesInterval: 30 })];
    const workflowId = await activate(nodes, { misfirePolicy: 'once' });
    await makeOverdue(workflowId, hours);
    await startOwnWorker();
    await eventually(async () => expect(await startedBy(workflowId)).toMatchObject([{ status: 'success' }]));
    const [started] = await startedBy(workflowId);
    expect(Date.now() - (started?.tick ?? 0)).toBeLessThan(40 * 60_000);
    await delay(1_500);
    expect(await startedBy(workflowId)).toHaveLength(1);
  });
});

describe('while an execution takes longer than its interval', () => {
  test.each(['skip', 'queue'])('the policy %s runs one execution at a time', async (overlapPolicy) => {
    await startOwnWorker();
    const path = `/slow-${overlapPolicy}`;
    server.hold(path);
    const workflowId = await activate([everySecond, aCall('slow', `${server.url}${path}`)], { overlapPolicy });
    await eventually(() => server.waiting(path) === 1);
    await delay(3_000);
    expect(await startedBy(workflowId)).toHaveLength(1);
    server.respond(path);
    await eventually(async () => expect((await startedBy(workflowId)).length).toBeGreaterThan(3));
    const { lastSkip } = await triggerOf(workflowId);
    await deactivate(workflowId);
    const [first, second] = (await startedBy(workflowId)) as [Started, Started];
    // Queued ticks start one after another; skipped ticks never start.
    if (overlapPolicy === 'queue') expect([second.tick - first.tick, lastSkip]).toEqual([1_000, null]);
    else expect([second.tick - first.tick >= 3_000, lastSkip.reason]).toEqual([true, 'overlap']);
  });
});
