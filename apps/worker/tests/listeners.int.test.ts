import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { currentMemory, type MemoryReservation } from '@sluice/domain';
import type { ListenContext } from '@sluice/node-sdk';
import { eventually } from '@sluice/test-support';
import { sql } from 'kysely';
import { listening, opened, SourceFleet } from './support/source-fleet.ts';

const fleet = await SourceFleet.start();
afterEach(() => fleet.reset());
afterAll(() => fleet.close());

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('listeners', () => {
  test('each run on one worker; an event has an execution before `emit` resolves, and its end can be awaited', async () => {
    const contexts = fleet.recordListeners();
    const id = await fleet.activate(listening, { topic: '={{ "t" + 1 }}' });
    await Promise.all([fleet.worker(), fleet.worker()]);
    const [context] = await opened(contexts, 1);
    await pause(1_500);
    expect(contexts).toHaveLength(1);
    expect(context?.parameter('topic', 0)).toBe('t1');
    const emitted = await context?.emit([{ json: { n: 1 } }], { key: 'm1', cursor: { n: 1 } });
    expect(await fleet.inputsOf(id)).toEqual([{ n: 1 }]);
    expect(await context?.emit([{ json: { n: 1 } }], { key: 'm1' })).toMatchObject({ id: emitted?.id, repeated: true });
    expect(await emitted?.ended()).toBe('success');
    expect(await fleet.triggerOf(id)).toMatchObject({ heldBy: expect.any(String), failures: 0 });
  });

  test('share the worker’s memory with executions; their events count until they are stored', async () => {
    let memory: MemoryReservation | undefined;
    const counted: number[] = [];
    fleet.trigger = async ({ emit }) => {
      memory = currentMemory() as MemoryReservation;
      const count = memory.count.bind(memory);
      memory.count = (bytes) => {
        count(bytes);
        counted.push(memory?.size ?? 0);
      };
      await emit([{ json: { text: 'x'.repeat(500) } }]);
      return { close: async () => undefined };
    };
    const id = await fleet.activate(listening);
    await fleet.worker();
    await fleet.inputsOf(id, 1);
    await eventually(() => memory?.size === 0);
    expect(counted).toEqual([expect.any(Number)]);
    expect(counted[0]).toBeGreaterThan(1_000);
  });

  test('are distributed across the workers', async () => {
    fleet.recordListeners();
    const running = await Promise.all([fleet.worker(), fleet.worker()]);
    for (let n = 0; n < 4; n += 1) await fleet.activate(listening);
    await eventually(() => running.every(({ context }) => context.sources.clock.listeners === 2));
  });

  test('of one project have all places of a worker until another project has listeners', async () => {
    const contexts = fleet.recordListeners();
    const { context } = await fleet.worker({ LISTENERS_MAX: '4' });
    for (let n = 0; n < 6; n += 1) await fleet.activate(listening, { project: 'large' });
    await opened(contexts, 4);
    const projectId = await fleet.anotherProject();
    for (let n = 0; n < 3; n += 1) await fleet.activate(listening, { project: 'small' }, {}, projectId);
    const openOf = (name: string) =>
      contexts.filter(({ signal, parameter }) => !signal.aborted && parameter('project', 0) === name).length;
    await eventually(() => openOf('small') === 2 && openOf('large') === 2 && context.sources.clock.listeners === 4);
  });

  test('are taken over if their worker stops renewing them, and events of the old listener are rejected', async () => {
    const contexts = fleet.recordListeners();
    const id = await fleet.activate(listening);
    const frozen = await fleet.worker();
    const [old] = await opened(contexts, 1);
    frozen.context.sources.leases.stop();
    await fleet.worker();
    const [, young] = await opened(contexts, 2);
    await expect(old?.emit([{ json: { from: 'old' } }])).rejects.toMatchObject({ code: 'TRIGGER_CLOSED' });
    await young?.emit([{ json: { from: 'young' } }]);
    expect(await fleet.inputsOf(id)).toEqual([{ from: 'young' }]);
    await opened(contexts, 1);
  });

  test('are released immediately by a worker that shuts down', async () => {
    const contexts = fleet.recordListeners();
    const id = await fleet.activate(listening);
    const first = await fleet.worker();
    await opened(contexts, 1);
    const { heldBy } = await fleet.triggerOf(id);
    await fleet.worker();
    await first.stop();
    expect((await fleet.triggerOf(id)).heldBy).not.toBe(heldBy);
    await opened(contexts, 1);
  });

  test('are closed by a deactivation and start nothing after its response', async () => {
    const contexts = fleet.recordListeners();
    const id = await fleet.activate(listening);
    await fleet.worker();
    const [context] = await opened(contexts, 1);
    await fleet.deactivate(id);
    await expect(context?.emit([{ json: {} }])).rejects.toMatchObject({ code: 'TRIGGER_CLOSED' });
    await eventually(() => contexts.length === 0);
    expect(context?.signal.aborted).toBe(true);
    expect(await fleet.inputsOf(id)).toEqual([]);
  });

  test('that fail to start or lose their connection are reported and restarted', async () => {
    let starts = 0;
    const contexts: ListenContext[] = [];
    fleet.trigger = async (context) => {
      starts += 1;
      if (starts === 1) throw new Error('no broker');
      contexts.push(context);
      return { close: async () => undefined };
    };
    const id = await fleet.activate(listening);
    await fleet.worker();
    await eventually(async () => (await fleet.triggerOf(id)).lastError === 'no broker');
    await opened(contexts, 1);
    contexts[0]?.failed(new Error('connection reset'));
    await eventually(async () => (await fleet.triggerOf(id)).lastError === 'connection reset');
    expect((await fleet.triggerOf(id)).failures).toBe(2);
    await opened(contexts, 2);
    await eventually(async () => (await fleet.triggerOf(id)).failures === 0);
  });

  test('start executions from events before a failure', async () => {
    const contexts = fleet.recordListeners();
    const id = await fleet.activate(listening);
    await fleet.worker();
    const [context] = await opened(contexts, 1);
    for (let n = 0; n < 150; n++) void context?.emit([{ json: { n } }]);
    context?.failed(new Error('connection reset'));
    await eventually(async () => (await fleet.triggerOf(id)).lastError === 'connection reset');
    expect(await fleet.inputsOf(id)).toHaveLength(150);
  });

  test('fail if they return no close function', async () => {
    fleet.trigger = async () => null as never;
    const id = await fleet.activate(listening);
    await fleet.worker();
    await eventually(async () => expect((await fleet.triggerOf(id)).lastError).toContain('an object with close()'));
  });

  test('report events beyond the buffer at the trigger, and start executions for earlier events', async () => {
    const contexts = fleet.recordListeners();
    const id = await fleet.activate(listening);
    await fleet.worker();
    const [context] = await opened(contexts, 1);
    const burst = Array.from({ length: 1_020 }, (_, n) => context?.emit([{ json: { n } }]));
    const refused = (await Promise.allSettled(burst)).filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(20);
    const lastError = '20 events were refused, since 1000 waited to be stored already';
    expect(await fleet.triggerOf(id)).toMatchObject({ failures: 1, lastError });
    await context?.emit([{ json: {} }]);
    expect(await fleet.triggerOf(id)).toMatchObject({ failures: 0, lastError: null });
  });

  test('reject events if the queue is full or a limit is reached, which the emitter need not handle', async () => {
    const contexts = fleet.recordListeners();
    const id = await fleet.activate(listening);
    await fleet.worker({ QUEUED_MAX_PER_PROJECT: '1', NODE_RUN_MAX_BYTES: '65536' });
    const [context] = await opened(contexts, 1);
    void context?.emit([{ json: { text: 'x'.repeat(70_000) } }]);
    await expect(context?.emit([{ json: { text: 'x'.repeat(70_000) } }])).rejects.toMatchObject({
      code: 'TRIGGER_DATA_TOO_LARGE',
    });
    await sql`INSERT INTO executions (workflow_id, project_id, graph_hash, status, mode, queued_at)
      SELECT w.id, w.project_id, v.graph_hash, 'new', 'manual', now() FROM workflows w
      JOIN workflow_versions v ON v.id = w.active_version_id WHERE w.id = ${id}`.execute(fleet.db.kysely);
    await context?.emit([{ json: {} }]).catch(() => undefined);
    await expect(context?.emit([{ json: {} }])).rejects.toMatchObject({ code: 'QUEUE_FULL', retryable: true });
  });
});
