import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, expect, test } from '@jest/globals';
import type { WorkflowNode } from '@sluice/domain';
import { aChain, aNode, eventually } from '@sluice/test-support';
import { type RunningProcess, type Settings, startService, startWorker } from './harness.ts';
import { stopIn } from './support/cleanup.ts';
import { EventSource, eventPackage } from './support/event-source.ts';
import { packageFolder } from './support/own-packages.ts';
import { createWorkflow, expectStatus } from './support/runs.ts';
import { executionsOf } from './support/started-executions.ts';

const stopAfterAll = stopIn(afterAll);
const stopAfterEach = stopIn(afterEach);

const { folder } = stopAfterAll(await packageFolder(eventPackage));
const service = stopAfterAll(await startService({ settings: { WORKERS: '0', SLUICE_NODES_DIR: folder } }));

async function startOwnWorker(settings: Settings = { LEASE_MS: '3000' }): Promise<RunningProcess> {
  const urls = { DATABASE_URL: service.databaseUrl, REDIS_URL: service.redisUrl };
  return stopAfterEach(await startWorker({ ...urls, SSRF_ALLOW: '127.0.0.1', SLUICE_NODES_DIR: folder, ...settings }));
}

async function activate(source: WorkflowNode): Promise<string> {
  const id = await createWorkflow(service, aChain([source, aNode({ name: 'After', type: 'base.no-op' })]));
  expectStatus(await service.call('POST', `/workflows/${id}/activate`, {}), 200);
  return id;
}
const deactivate = async (id: string) => expectStatus(await service.call('POST', `/workflows/${id}/deactivate`, {}), 200);
const triggerOf = async (id: string) => expectStatus(await service.call('GET', `/workflows/${id}/triggers`), 200).data[0];

const source = (type: string, url: string): WorkflowNode => {
  const pollTimes = { item: [{ mode: 'custom', cronExpression: '* * * * * *' }] };
  return aNode({ name: 'Source', type: `events.${type}`, parameters: { url, pollTimes } });
};

/** The numbers in the input of a workflow's executions, in order. */
async function numbersOf(workflowId: string): Promise<number[]> {
  const executions = await executionsOf(service.databaseUrl, workflowId);
  return executions.flatMap(({ items }) => items.map(({ n }) => n as number));
}

test('each polled item and each event starts exactly one execution while workers are killed every few seconds', async () => {
  const events = stopAfterAll(await EventSource.start(150));
  const polling = await activate(source('feed', events.url));
  const listening = await activate(source('broker', events.url));
  const workers = [await startOwnWorker(), await startOwnWorker()];
  events.begin();
  for (let round = 0; round < 4; round += 1) {
    workers.push(await startOwnWorker());
    await delay(2_500);
    // The oldest worker has had time to claim something.
    const victim = workers.shift();
    await victim?.kill();
  }
  const all = Array.from({ length: events.count }, (_, i) => i + 1);
  await eventually(async () => {
    expect(events.isDone).toBe(true);
    expect((await numbersOf(polling)).length).toBeGreaterThanOrEqual(events.count);
  });
  expect(await numbersOf(polling)).toEqual(all);
  expect((await numbersOf(listening)).toSorted((a, b) => a - b)).toEqual(all);
});

test('a listener whose worker is killed restarts on another worker within 30 seconds', async () => {
  const events = stopAfterAll(await EventSource.start(1));
  const first = await startOwnWorker({});
  const id = await activate(source('broker', events.url));
  const holder = await eventually(async () => (await triggerOf(id)).heldBy ?? false);
  await startOwnWorker({});
  await first.kill();
  const isElsewhere = async () => ![null, holder].includes((await triggerOf(id)).heldBy);
  await eventually(isElsewhere, { timeoutMs: 30_000 });
  events.begin();
  await eventually(async () => expect(await numbersOf(id)).toEqual([1]));
});

test('an error that a listener throws in a timer is shown on the trigger and does not stop the worker', async () => {
  const worker = await startOwnWorker();
  const id = await activate(source('uncaught', 'http://127.0.0.1'));
  await eventually(async () =>
    expect(await triggerOf(id)).toMatchObject({ status: 'failing', lastError: 'thrown in a timer' }),
  );
  await eventually(async () => expect((await triggerOf(id)).failures).toBeGreaterThan(1));
  expect((await fetch(`${worker.url}/healthz`)).status).toBe(200);
  await deactivate(id);
  expect(await triggerOf(id)).toBeUndefined();
});
