import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { EventOutboxRepository, ExpiredRowRepository, VaultKeyRepository } from '@sluice/db';
import { type JsonObject, outgoingEvents } from '@sluice/domain';
import { aChain, aNode, eventually, testMasterKey } from '@sluice/test-support';
import { generateMasterKey, KeyRing, rotateMasterKey, Vault } from '@sluice/vault';
import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { EventReceiver } from './support/event-receiver.ts';
import { Fleet } from './support/fleet.ts';

let fleet: Fleet;
let receiver: EventReceiver;
beforeEach(async () => {
  receiver = await new EventReceiver().listen();
  fleet = await Fleet.start({ SSRF_ALLOW: '127.0.0.1' });
  await fleet.serve();
});
afterEach(async () => {
  await receiver.stop();
  await fleet.close();
});

async function subscribe(changes: object = {}) {
  const body = { name: 'All', url: receiver.url, events: outgoingEvents, ...changes };
  const response = await fleet.call('POST', '/event-subscriptions', body);
  expect(response).toMatchObject({ status: 201, body: { secret: expect.stringMatching(/^whsec_.{44}$/) } });
  return response.body;
}
const trigger = aNode({ name: 'Start', type: 'base.manual-trigger' });
const stop = aNode({ name: 'Stop', type: 'base.stop-and-error', parameters: { errorMessage: 'out of \u0000 stock' } });
async function aWorkflow(nodes = [trigger]): Promise<string> {
  return (await fleet.call('POST', '/workflows', aChain(nodes))).body.id;
}
const run = async (id: string) => (await fleet.call('POST', `/workflows/${id}/run`)).body.executionId as string;
const enqueue = async (id: string): Promise<string> =>
  (await fleet.call('POST', `/workflows/${id}/run`, {}, { prefer: 'respond-async' })).body.executionId;
const deliveries = async (id: string) => (await fleet.call('GET', `/event-subscriptions/${id}/deliveries`)).body.data;
const received = (count: number) => eventually(() => expect(receiver.received).toHaveLength(count));
const countDeliveries = async () => {
  const { rows } = await sql<{ n: number }>`SELECT count(*)::int AS n FROM event_deliveries`.execute(fleet.db.kysely);
  return rows[0]?.n;
};

const ago = (seconds: number) => sql<Date>`now() - ${seconds} * interval '1 second'`;
async function set(ids: (string | undefined)[], values: object): Promise<void> {
  const executionIds = ids.flatMap((id) => id ?? []);
  await fleet.db.kysely.updateTable('executions').set(values).where('id', 'in', executionIds).execute();
}
async function wait(id: string | undefined, kind: string, secondsAgo: number): Promise<void> {
  await sql`INSERT INTO execution_waits (execution_id, attempt, kind, node_name, run_index, start_time, tried, resume_token)
    VALUES (${id}, 2, ${kind}, 'Wait', 0, (extract(epoch FROM ${ago(secondsAgo)}) * 1000)::bigint, 1, '')`.execute(
    fleet.db.kysely,
  );
}

describe('events of a project', () => {
  test('are sent once each, signed, with data about the execution', async () => {
    await fleet.work();
    const [good, bad] = [await aWorkflow(), await aWorkflow([trigger, stop])];
    const { id, secret } = await subscribe({ events: ['execution.finished', 'execution.failed'] });
    const [finished, failed] = [await run(good), await run(bad)];
    await received(2);

    const byId = Object.fromEntries(receiver.received.map((event) => [event.body.data.executionId, event]));
    expect(byId[finished]?.body).toMatchObject({
      type: 'execution.finished',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      data: { workflowId: good, status: 'success', mode: 'manual', error: null },
    });
    expect(byId[failed]?.body).toMatchObject({
      type: 'execution.failed',
      data: { workflowId: bad, status: 'error', error: { message: 'out of \u0000 stock', node: 'Stop' } },
    });
    for (const { text, headers } of receiver.received)
      expect(() => new Webhook(secret).verify(text, headers as Record<string, string>)).not.toThrow();
    expect(await deliveries(id)).toHaveLength(2);
    for (const each of await deliveries(id))
      expect(each).toMatchObject({ status: 'delivered', nextAttemptAt: null, attempts: [{ status: 200, error: null }] });
  });

  test('include canceled and crashed executions, and changes to workflows', async () => {
    await subscribe();
    const id = await aWorkflow([aNode({ name: 'Every', type: 'base.schedule-trigger' })]);
    await fleet.call('PATCH', `/workflows/${id}`, { name: 'Renamed' });
    await fleet.call('POST', `/workflows/${id}/activate`);
    await fleet.call('POST', `/workflows/${id}/deactivate`);
    const executions = [await enqueue(id), await enqueue(id)];
    await fleet.call('POST', `/executions/${executions[0]}/stop`);
    await sql`UPDATE executions SET status = 'running', started_at = now() WHERE id = ${executions[1]}`.execute(
      fleet.db.kysely,
    );
    await sql`UPDATE executions SET status = 'crashed', stopped_at = now() WHERE id = ${executions[1]}`.execute(
      fleet.db.kysely,
    );
    await fleet.call('DELETE', `/workflows/${id}`);
    await fleet.work();
    await received(7);
    const workflowEvents = ['created', 'updated', 'activated', 'deactivated', 'deleted'].map((verb) => `workflow.${verb}`);
    expect(receiver.types.toSorted()).toEqual(['execution.canceled', 'execution.crashed', ...workflowEvents].toSorted());
  });

  test('report once that an execution waits too long', async () => {
    const { id } = await subscribe({ events: ['execution.waiting'], waitingAfterSeconds: 60 });
    const executionId = await enqueue(await aWorkflow());
    await set([executionId], { created_at: ago(59) });
    const outbox = new EventOutboxRepository(fleet.db);
    await outbox.noteWaiting();
    expect(await deliveries(id)).toEqual([]);
    await set([executionId], { created_at: ago(61) });
    await outbox.noteWaiting();
    await outbox.noteWaiting();
    expect(await deliveries(id)).toMatchObject([
      { type: 'execution.waiting', payload: { data: { executionId, status: 'new' } } },
    ]);
  });

  test('report executions that a limit has blocked for too long, but not executions that wait for others', async () => {
    await subscribe({ events: ['execution.waiting'], waitingAfterSeconds: 60 });
    const workflowId = await aWorkflow();
    const [fresh, retry, resumed, parent, released, next] = await Promise.all(
      Array.from({ length: 6 }, () => enqueue(workflowId)),
    );
    await set([fresh, retry, resumed, parent, released, next], { created_at: ago(100), queued_at: sql`'infinity'` });
    await set([retry, resumed, parent], { status: 'running', started_at: ago(100) });
    await set([fresh, retry, resumed], { limit_ids: [1] });
    await set([resumed, parent], { attempt: 2 });
    await set([released, next], { parent_execution_id: parent });
    await set([released], { queued_at: sql`now()` });
    const ended = await enqueue(workflowId);
    await set([ended], { parent_execution_id: parent, status: 'canceled', stopped_at: ago(5) });
    const outbox = new EventOutboxRepository(fleet.db);
    const reported = async () => {
      await outbox.noteWaiting();
      const payloads = await fleet.db.kysely.selectFrom('event_deliveries').select('payload').execute();
      return new Set(payloads.map(({ payload }) => (payload['data'] as JsonObject)['executionId']));
    };
    await wait(resumed, 'call', 50);
    await wait(parent, 'workflows', 90);
    expect(await reported()).toEqual(new Set([fresh, retry]));
    await sql`UPDATE execution_waits SET start_time = start_time - 20000`.execute(fleet.db.kysely);
    expect(await reported()).toEqual(new Set([fresh, retry, resumed]));
    await set([ended], { stopped_at: ago(70) });
    expect(await reported()).toEqual(new Set([fresh, retry, resumed, released]));
  });

  test('report a wait once, however long it takes', async () => {
    const { id } = await subscribe({ events: ['execution.waiting'], waitingAfterSeconds: 60 });
    const executionId = await enqueue(await aWorkflow());
    await set([executionId], { created_at: ago(8 * 86_400) });
    const outbox = new EventOutboxRepository(fleet.db);
    const expired = new ExpiredRowRepository(fleet.db.kysely);
    await outbox.noteWaiting();
    await sql`UPDATE event_deliveries SET created_at = now() - interval '8 days'`.execute(fleet.db.kysely);
    const [reported] = await deliveries(id);
    await expired.deleteEventDeliveries();
    await outbox.noteWaiting();
    expect(await deliveries(id)).toEqual([reported]);
    await fleet.call('POST', `/executions/${executionId}/stop`);
    await expired.deleteEventDeliveries();
    expect(await deliveries(id)).toEqual([]);
  });

  test('are recorded only for matching subscriptions of the project', async () => {
    const other = await fleet.aProject();
    await subscribe({ projectId: other });
    await subscribe({ active: false });
    await subscribe({ events: ['execution.crashed'] });
    await fleet.work();
    await run(await aWorkflow());
    expect(await countDeliveries()).toBe(0);
  });

  test('go to the project to which the workflow was moved, even before the rows of its executions have been moved', async () => {
    const id = await aWorkflow();
    const [stopped, waiting] = [await enqueue(id), await enqueue(id)];
    const { body: workflow } = await fleet.call('GET', `/workflows/${id}`);
    const other = await fleet.aProject();
    await fleet.call('PUT', `/workflows/${id}/transfer`, { destinationProjectId: other });
    await set([stopped, waiting], { project_id: workflow.projectId });
    await set([waiting], { created_at: ago(7_200) });
    const events = ['execution.canceled', 'execution.waiting'];
    const [old, own] = [await subscribe({ events }), await subscribe({ events, projectId: other })];
    expect((await fleet.call('POST', `/executions/${stopped}/stop`)).status).toBe(200);
    await new EventOutboxRepository(fleet.db).noteWaiting();
    expect(await deliveries(old.id)).toEqual([]);
    const data = { executionId: stopped, projectId: other };
    expect(await deliveries(own.id)).toEqual([
      expect.objectContaining({ payload: expect.objectContaining({ data: expect.objectContaining(data) }) }),
    ]);
  });

  test('are not recorded for a change that is rolled back', async () => {
    await subscribe();
    const id = await aWorkflow();
    const before = await countDeliveries();
    const rolledBack = fleet.db.kysely.transaction().execute(async (tx) => {
      await sql`UPDATE workflows SET name = 'other' WHERE id = ${id}`.execute(tx);
      throw new Error('no');
    });
    await expect(rolledBack).rejects.toThrow('no');
    expect(await countDeliveries()).toBe(before);
  });
});

describe('a delivery', () => {
  test('that fails is retried with the same ID and logged', async () => {
    receiver.status = 500;
    const { id } = await subscribe();
    await fleet.work();
    const { body: delivery } = await fleet.call('POST', `/event-subscriptions/${id}/test`);
    expect(delivery).toMatchObject({ type: 'test', status: 'pending', attempts: [] });
    await received(1);
    await eventually(async () =>
      expect(await deliveries(id)).toMatchObject([
        {
          status: 'pending',
          nextAttemptAt: expect.any(String),
          attempts: [{ status: 500, error: 'the receiver responded 500' }],
        },
      ]),
    );
    receiver.status = 200;
    await sql`UPDATE event_deliveries SET next_at = now()`.execute(fleet.db.kysely);
    await received(2);
    const [first, second] = receiver.received;
    expect(first?.headers['webhook-id']).toBe(delivery.id);
    expect(second?.headers['webhook-id']).toBe(delivery.id);
    await eventually(async () =>
      expect(await deliveries(id)).toMatchObject([{ status: 'delivered', attempts: [{ status: 500 }, { status: 200 }] }]),
    );
    expect(await fleet.call('POST', `/event-subscriptions/${id}/deliveries/${delivery.id}/replay`)).toMatchObject({
      status: 202,
    });
    await received(3);
  });

  test('keeps its status if it ends while the oldest excess deliveries are abandoned', async () => {
    const { id } = await subscribe();
    const { kysely } = fleet.db;
    await sql`INSERT INTO event_deliveries (id, subscription_id, type, payload, created_at)
      SELECT n::text, ${id}, 'execution.failed', '{}', now() + n * interval '1 second' FROM generate_series(0, 10001) AS n`.execute(
      kysely,
    );
    const statuses = async () => {
      const oldest = kysely.selectFrom('event_deliveries').select('status').where('id', 'in', ['0', '1', '2']);
      return (await oldest.orderBy('id').execute()).map(({ status }) => status);
    };
    let failed: Promise<void> | undefined;
    await kysely.transaction().execute(async (tx) => {
      await tx.updateTable('event_deliveries').set({ status: 'delivered' }).where('id', '=', '0').execute();
      failed = new EventOutboxRepository(fleet.db).failExcess();
      await eventually(async () => (await sql`SELECT FROM pg_locks WHERE NOT granted`.execute(kysely)).rows.length > 0);
    });
    await failed;
    expect(await statuses()).toEqual(['delivered', 'failed', 'pending']);
  });

  test("cannot connect to the service's own endpoints, even if their address is allowed", async () => {
    const refused = await fleet.call('POST', '/event-subscriptions', {
      name: 'n',
      url: 'http://169.254.169.254/',
      events: ['execution.failed'],
    });
    expect(refused).toMatchObject({ status: 400, body: { details: [{ path: '/url' }] } });
    const { id } = await subscribe();
    const worker = await fleet.work();
    // Simulates a name that resolved differently when the subscription was created.
    const own = `http://127.0.0.1:${worker.healthPort}/readyz`;
    await sql`UPDATE event_subscriptions SET url = ${own}`.execute(fleet.db.kysely);
    await fleet.call('POST', `/event-subscriptions/${id}/test`);
    await eventually(async () =>
      expect(await deliveries(id)).toMatchObject([
        { attempts: [{ status: null, error: expect.stringContaining('not allowed') }] },
      ]),
    );
  });

  test('ends the subscription if the receiver rejects it with 410', async () => {
    receiver.status = 410;
    const { id } = await subscribe();
    await fleet.work();
    await fleet.call('POST', `/event-subscriptions/${id}/test`);
    await eventually(async () =>
      expect((await fleet.call('GET', `/event-subscriptions/${id}`)).body).toMatchObject({
        active: false,
        disabledReason: 'the receiver responded 410 Gone',
      }),
    );
    const { body } = await fleet.call('PATCH', `/event-subscriptions/${id}`, { active: true });
    expect(body).toMatchObject({ active: true, disabledReason: null });
  });

  test('is signed with the old and the new secret after a rotation, even with another master key', async () => {
    const { id, secret: old } = await subscribe();
    const { body } = await fleet.call('POST', `/event-subscriptions/${id}/rotate-secret`);
    const { secret: _, ...subscription } = body;
    expect((await fleet.call('GET', `/event-subscriptions/${id}`)).body).toEqual(subscription);
    expect(body.secret).not.toBe(old);
    const ring = [generateMasterKey(), testMasterKey];
    const report = await rotateMasterKey(new Vault(KeyRing.parse(ring)), new VaultKeyRepository(fleet.db.kysely));
    expect(report).toMatchObject({ rewrapped: 1, unreadable: [], remaining: 0 });
    await fleet.work({}, { ENCRYPTION_KEY: ring.join(',') });
    await fleet.call('POST', `/event-subscriptions/${id}/test`);
    await received(1);
    const [{ text, headers }] = receiver.received as [EventReceiver['received'][number]];
    for (const secret of [old, body.secret])
      expect(() => new Webhook(secret).verify(text, headers as Record<string, string>)).not.toThrow();
  });
});
