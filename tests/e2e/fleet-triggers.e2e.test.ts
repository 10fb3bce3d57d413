import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { JsonObject, WorkflowNode } from '@sluice/domain';
import { createLogger } from '@sluice/logger';
import { closeRedis, createRedis } from '@sluice/queue';
import { aChain, aNode, eventually } from '@sluice/test-support';
import { Gate } from '../chaos/gate.ts';
import { stopIn } from './support/cleanup.ts';
import { queryDatabase } from './support/database.ts';
import { EventSource, eventPackage } from './support/event-source.ts';
import { Fleet } from './support/fleet.ts';
import { expectEachOnce, expectOnlyKilledCrashed } from './support/fleet-outcomes.ts';
import { HookService, hookPackage } from './support/hook-service.ts';
import { packageFolder } from './support/own-packages.ts';
import { createWorkflow, expectStatus } from './support/runs.ts';
import { endedExecutionsOf, executionsOf } from './support/started-executions.ts';
import { sendWebhook } from './support/webhook-requests.ts';

jest.setTimeout(900_000);

const mark = `export default {
  description: { displayName: 'Mark', name: 'mark', group: ['transform'], version: 1, description: 'For tests', defaults: { name: 'Mark' },
    inputs: ['main'], outputs: ['main'], properties: [] },
  execute: (context) => [context.items().map(({ json }) => ({ json: { ...json, marked: true } }))],
};`;
const packages = {
  ...eventPackage,
  ...hookPackage,
  marks: { 'mark.js': mark },
  broken: { 'broken.js': "import 'a-module-that-nobody-has';" },
};

/** The slot whose worker may load only the package `hooks`. */
const restrictedSlot = 2;

const stopAfterAll = stopIn(afterAll);
let fleet: Fleet;
let hooks: HookService;
let events: EventSource;
let publisher: NumberPublisher;
const schedules: string[] = [];
let feed: string;
let broker: string;
let redis: string;

beforeAll(async () => {
  const { folder } = stopAfterAll(await packageFolder(packages));
  [events, hooks] = [stopAfterAll(await EventSource.start(120)), stopAfterAll(await HookService.start(3))];
  const settings = { SLUICE_NODES_DIR: folder };
  const settingsOfSlot = (slot: number) => (slot === restrictedSlot ? { SLUICE_NODES_ALLOW: 'hooks' } : {});
  fleet = stopAfterAll(await Fleet.start({ seed: 11, settings, settingsOfSlot }));
  for (let n = 0; n < 3; n += 1) schedules.push(await activate([everySecond]));
  feed = await activate([rssTrigger(`${events.url}/rss`)]);
  broker = await activate([aNode({ name: 'Source', type: 'events.broker', parameters: { url: events.url } })]);
  redis = await activate([await redisTrigger()]);
  // Entries of a feed at the first poll count as known.
  await eventually(async () => expect(await triggerOf(feed)).toMatchObject({ lastSuccessAt: expect.any(String) }));
  events.begin();
  publisher = stopAfterAll(new NumberPublisher(fleet.service.redisUrl));
  fleet.beginKilling();
  await Promise.all([callMarks(), changeRegistrations(), killListener()]);
});

const everySecond = aNode({
  name: 'Clock',
  type: 'base.schedule-trigger',
  typeVersion: 1.2,
  parameters: { rule: { interval: [{ field: 'seconds', secondsInterval: 1 }] } },
});

function rssTrigger(feedUrl: string): WorkflowNode {
  const pollTimes = { item: [{ mode: 'custom', cronExpression: '* * * * * *' }] };
  return aNode({ name: 'Source', type: 'base.rss-feed-read-trigger', parameters: { feedUrl, pollTimes } });
}

/** Subscribes to the fleet's own Redis. */
async function redisTrigger(): Promise<WorkflowNode> {
  const { port } = stopAfterAll(await Gate.start(new URL(fleet.service.redisUrl).pathname));
  const credential = { name: 'redis', type: 'redis', data: { host: '127.0.0.1', port } };
  const { id } = expectStatus(await fleet.service.call('POST', '/credentials', credential), 201);
  const parameters = { channels: 'numbers', options: { jsonParseBody: true } };
  return aNode({ name: 'Source', type: 'base.redis-trigger', parameters, credentials: { redis: { id, name: 'redis' } } });
}

/** Publishes a number ten times a second, from 1 on. */
class NumberPublisher {
  readonly #redis: ReturnType<typeof createRedis>;
  readonly #timer: NodeJS.Timeout;
  last = 0;

  constructor(redisUrl: string) {
    this.#redis = createRedis(redisUrl, 'consumer', createLogger({ name: 'test', level: 'silent' }));
    this.#timer = setInterval(() => {
      this.last += 1;
      void this.#redis.publish('numbers', JSON.stringify({ n: this.last }));
    }, 100);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await closeRedis(this.#redis);
  }
}

async function activate(nodes: WorkflowNode[]): Promise<string> {
  const id = await createWorkflow(fleet.service, aChain([...nodes, aNode({ name: 'End', type: 'base.no-op' })]));
  expectStatus(await fleet.service.call('POST', `/workflows/${id}/activate`), 200);
  return id;
}

async function deactivate(id: string): Promise<void> {
  expectStatus(await fleet.callers[1].call('POST', `/workflows/${id}/deactivate`), 200);
}

async function triggerOf(id: string): Promise<{ heldBy: string | null; lastSkip: object | null }> {
  return expectStatus(await fleet.service.call('GET', `/workflows/${id}/triggers`), 200).data[0];
}

/** Input items of a workflow's executions, in order. */
async function itemsOf(workflowId: string): Promise<JsonObject[]> {
  return (await executionsOf(fleet.databaseUrl, workflowId)).flatMap(({ items }) => items);
}

const marks = { workflowId: '', called: 0 };

/** Runs a node type of a package until two more workers have been killed. */
async function callMarks(): Promise<void> {
  const parameters = { path: 'mark', httpMethod: 'POST' };
  const webhook = aNode({ name: 'Webhook', type: 'base.webhook', typeVersion: 2.1, parameters });
  marks.workflowId = await activate([webhook, aNode({ name: 'Mark', type: 'marks.mark' })]);
  const enough = fleet.killed.length + 2;
  for (; marks.called < 20 || fleet.killed.length < enough; marks.called += 1) {
    expect(await sendWebhook(`${fleet.urls[marks.called % 2]}/webhook/mark`)).toMatchObject({ status: 200 });
    await delay(100);
  }
}

/**
 * Workflows whose trigger registers at a service. In the end, the first is active, the fourth was
 * deleted while active, and the others are inactive.
 */
const registered: string[] = [];

/** Activates and deactivates them in turn until two more workers have been killed. */
async function changeRegistrations(): Promise<void> {
  for (let n = 0; n < 6; n += 1) {
    const hook = aNode({ name: 'Hook', type: 'hooks.hook', parameters: { service: hooks.url } });
    registered.push(await createWorkflow(fleet.service, aChain([hook, aNode({ name: 'End', type: 'base.no-op' })])));
  }
  hooks.isFlaky = true;
  const enough = fleet.killed.length + 2;
  const change = async (id: string, index: number) => {
    do {
      await eventually(async () => {
        await makeRegistrationsDue();
        const reply = await fleet.callers[index % 2]?.call('POST', `/workflows/${id}/activate`);
        expect(reply).toMatchObject({ status: 200 });
      });
      if (index % 3 > 0) await deactivate(id);
      await delay(300);
    } while (fleet.killed.length < enough);
  };
  await Promise.all(registered.map(change));
  expectStatus(await fleet.service.call('DELETE', `/workflows/${registered[3]}`), 200);
  hooks.isFlaky = false;
}

/**
 * Makes retries due now, and releases the holds of workers that were killed at least ten seconds
 * ago.
 */
async function makeRegistrationsDue(): Promise<void> {
  await queryDatabase(
    fleet.databaseUrl,
    `UPDATE registrations SET due_at = least(due_at, now()),
      held_until = CASE WHEN held_until < now() + interval '10 seconds' THEN now() ELSE held_until END WHERE due_at IS NOT NULL`,
  );
}

/**
 * Kills the worker that listens to Redis, and waits until another worker receives later messages.
 */
async function killListener(): Promise<void> {
  await eventually(async () => fleet.kill((await triggerOf(redis)).heldBy ?? ''));
  const before = publisher.last;
  await eventually(async () => (await numbersOf(redis)).some((n) => n > before));
}

const numbersOf = async (workflowId: string) => (await itemsOf(workflowId)).map(({ message }) => (message as { n: number }).n);

describe('packages', () => {
  test('a package that cannot be loaded is listed with the reason and does not affect other packages', async () => {
    for (const caller of fleet.callers) {
      const { data } = expectStatus(await caller.call('GET', '/node-packages'), 200);
      const states = data.map(({ name, status }: { name: string; status: string }) => [name, status]);
      expect(states).toEqual([
        ['broken', 'failed'],
        ['events', 'loaded'],
        ['hooks', 'loaded'],
        ['marks', 'loaded'],
      ]);
      expect(data[0].reason).toContain('a-module-that-nobody-has');
    }
  });

  test('a worker that lacks a node type leaves its executions to workers that have it', async () => {
    const executions = await endedExecutionsOf(fleet.databaseUrl, marks.workflowId);
    expectOnlyKilledCrashed(fleet, executions);
    expect(executions).toHaveLength(marks.called);
    expect(executions.filter(({ workerId }) => fleet.slotOf(workerId ?? '') === restrictedSlot)).toEqual([]);
  });
});

describe('registrations at an unreliable service', () => {
  test('the service ends up with exactly the registrations of the active workflows', async () => {
    await eventually(async () => {
      await makeRegistrationsDue();
      expect(hooks.addresses.map((address) => new URL(address).pathname.split('/')[2])).toEqual([registered[0]]);
      const [row] = await queryDatabase<{ due: number }>(
        fleet.databaseUrl,
        'SELECT count(*)::int AS due FROM registrations WHERE due_at IS NOT NULL',
      );
      expect(row?.due).toBe(0);
    });
  });

  test('a request from the service starts the workflow once', async () => {
    const [address = ''] = hooks.addresses;
    const { status, event } = await sendWebhook(address);
    expect(status).toBe(200);
    expect(await itemsOf(registered[0] ?? '')).toEqual([{ event }]);
  });
});

describe('polls and listeners', () => {
  const all = () => Array.from({ length: events.count }, (_, index) => index + 1);

  test('each event of a broker is in one execution', async () => {
    await eventually(() => events.isDone);
    expectEachOnce(
      (await itemsOf(broker)).map(({ n }) => n),
      all(),
    );
  });

  test('each entry of a feed is in one execution', async () => {
    const titles = async () => (await itemsOf(feed)).map(({ title }) => Number(title));
    await eventually(async () => (await titles()).length >= events.count);
    expectEachOnce(await titles(), all());
  });

  test('after a worker is killed, another one takes over its listener, and no event is handled twice', async () => {
    const received = await numbersOf(redis);
    expectEachOnce(received, [...new Set(received)]);
  });
});

test('a schedule that fires every second starts exactly one execution at each tick', async () => {
  for (const id of schedules) {
    expect(await triggerOf(id)).toMatchObject({ lastSkip: null });
    await deactivate(id);
    const ticks = (await itemsOf(id)).map(({ timestamp }) => Date.parse(String(timestamp)));
    expect(ticks.length).toBeGreaterThan(10);
    expect(ticks).toEqual(ticks.map((_, index) => (ticks[0] ?? 0) + index * 1_000));
  }
});

test('every execution has ended, as `crashed` only if its worker was killed', async () => {
  for (const id of [...schedules, feed, broker]) {
    if (!schedules.includes(id)) await deactivate(id);
    expectOnlyKilledCrashed(fleet, await endedExecutionsOf(fleet.databaseUrl, id));
  }
});
