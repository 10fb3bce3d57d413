import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { ConcurrencySetting, WorkflowNode } from '@sluice/domain';
import { aChain, aNode, eventually } from '@sluice/test-support';
import { sql } from 'kysely';
import type { Fleet } from './support/fleet.ts';
import { SlowFleet } from './support/slow-fleet.ts';
import type { SlowService } from './support/slow-service.ts';

let slow: SlowFleet;
let fleet: Fleet;
let service: SlowService;
beforeEach(async () => {
  slow = await SlowFleet.start();
  ({ fleet, service } = slow);
});
afterEach(() => slow.close());

const trigger = aNode({ name: 'Start', type: 'base.manual-trigger' });
const aRequest = (path: string, credentials?: WorkflowNode['credentials']) =>
  aNode({
    name: 'Request',
    type: 'base.http-request',
    typeVersion: 4.2,
    parameters: {
      url: `${slow.url}${path}`,
      ...(credentials && { authentication: 'genericCredentialType', genericAuthType: 'httpBasicAuth' }),
    },
    ...(credentials && { credentials }),
  });

async function aWorkflow(nodes: WorkflowNode[], concurrency?: ConcurrencySetting, projectId?: string): Promise<string> {
  const graph = aChain(nodes, { settings: concurrency ? { concurrency } : {} });
  const { status, body } = await fleet.call('POST', '/workflows', { ...graph, ...(projectId && { projectId }) });
  expect({ status, body }).toMatchObject({ status: 201 });
  return body.id;
}

const aSlowWorkflow = (concurrency?: ConcurrencySetting, projectId?: string) =>
  aWorkflow([trigger, aRequest('slow')], concurrency, projectId);

const start = (workflowId: string, count?: number) => slow.run(workflowId, count);

const get = async (id: string) => (await fleet.call('GET', `/executions/${id}`)).body;
const patch = async (path: string, body: object) => {
  const response = await fleet.call('PATCH', path, body);
  expect(response).toMatchObject({ status: 200 });
  return response.body;
};
const received = (count: number) => eventually(() => expect(service.received).toBe(count));
const untilStatus = (ids: readonly string[], status: string) =>
  eventually(async () => {
    const { rows } = await sql`SELECT id, status FROM executions
      WHERE id = ANY(${ids}::bigint[]) AND status <> ${status}`.execute(fleet.db.kysely);
    expect(rows).toEqual([]);
  });

async function countBlocked(): Promise<number> {
  const { rows } = await sql<{ n: number }>`SELECT count(*)::int AS n FROM executions
    WHERE status IN ('new', 'running') AND limit_ids IS NOT NULL AND queued_at = 'infinity'`.execute(fleet.db.kysely);
  return rows[0]?.n ?? 0;
}
const blocked = (count: number) => eventually(async () => expect(await countBlocked()).toBe(count));

/** IDs in the order of their first claim. */
async function inOrderOfStart(): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`SELECT id FROM executions ORDER BY started_at, id`.execute(fleet.db.kysely);
  return rows.map(({ id }) => id);
}

const byId = (ids: readonly string[]) => ids.toSorted((a, b) => Number(a) - Number(b));

describe('a limit of a workflow', () => {
  test('is never exceeded by three workers, and all starts run', async () => {
    const count = 60;
    const id = await aSlowWorkflow({ limit: 3 });
    for (let n = 0; n < 3; n += 1) await fleet.work();
    const ids = await start(id, count);
    await eventually(() => expect(service.received).toBe(3));
    while (service.received < count) {
      const before = service.received;
      service.respond(2);
      await eventually(() => service.received > before || service.received === count);
    }
    service.release();
    await untilStatus(ids, 'success');
    expect(service.received).toBe(count);
    expect(service.mostAtOnce).toBe(3);
  }, 120_000);

  test('starts blocked executions in order and without a job, and shows what they wait for', async () => {
    const id = await aSlowWorkflow({ limit: 1 });
    await fleet.work();
    await fleet.work();
    const first = await start(id);
    await received(1);
    const ids = await start(id, 20);
    await blocked(20);
    const waiting = { status: 'new', waitingFor: { limit: 'workflow', id } };
    expect(await get(ids[0] as string)).toMatchObject(waiting);
    expect((await fleet.call('GET', '/executions?status=new&limit=1')).body.data).toMatchObject([waiting]);
    expect(await get(first[0] as string)).not.toHaveProperty('waitingFor');
    const keys = await fleet.redis.keys(`${fleet.queuePrefix}:*`);
    if (keys.length > 0) await fleet.redis.del(...keys);
    service.release();
    await untilStatus(ids, 'success');
    expect(await inOrderOfStart()).toEqual([...first, ...byId(ids)]);
    expect(await get(ids[0] as string)).not.toHaveProperty('waitingFor');
  }, 60_000);

  test('does not delay other workflows: blocked executions occupy no slot', async () => {
    await fleet.work({}, { CONCURRENCY: '2' });
    const ids = await start(await aSlowWorkflow({ limit: 1 }), 10);
    await blocked(9);
    const others = await start(await aWorkflow([trigger]), 3);
    await untilStatus(others, 'success');
    expect(service.received).toBe(1);
    service.release();
    await untilStatus(ids, 'success');
  }, 60_000);

  test('with `skip` cancels excess executions', async () => {
    await fleet.work();
    const id = await aSlowWorkflow({ limit: 1, whenFull: 'skip' });
    const running = await start(id);
    await received(1);
    const { body } = await fleet.call('POST', `/workflows/${id}/run`, {});
    expect(body).toMatchObject({
      finished: true,
      status: 'canceled',
      data: { resultData: { error: { code: 'CONCURRENCY_LIMIT' } } },
    });
    service.release();
    await untilStatus(running, 'success');
    await untilStatus(await start(id), 'success');
  }, 60_000);

  test('also applies to retries', async () => {
    await fleet.work();
    const id = await aSlowWorkflow({ limit: 1 });
    const [stopped] = (await start(id)) as [string];
    await received(1);
    await fleet.call('POST', `/executions/${stopped}/stop`);
    const [running] = (await start(id)) as [string];
    await received(2);
    const { body: retry } = await fleet.call('POST', `/executions/${stopped}/retry`, {});
    await blocked(1);
    expect(await get(retry.id)).toMatchObject({ status: 'running', waitingFor: { limit: 'workflow', id } });
    service.respond(2);
    await received(3);
    service.release();
    await untilStatus([running, retry.id], 'success');
  }, 60_000);

  test('does not count waiting executions until they resume', async () => {
    await fleet.work();
    const wait = aNode({ name: 'Wait', type: 'base.wait', typeVersion: 1.1, parameters: { amount: 3 } });
    const id = await aWorkflow([trigger, wait, aRequest('after')], { limit: 1 });
    const ids = await start(id, 2);
    await untilStatus(ids, 'waiting');
    await received(1);
    await blocked(1);
    expect(service.mostAtOnce).toBe(1);
    service.release();
    await untilStatus(ids, 'success');
  }, 60_000);

  test('of one allows a workflow to call itself', async () => {
    await fleet.work();
    service.release();
    const again = aNode({
      name: 'Only once',
      type: 'base.code',
      typeVersion: 2,
      parameters: { jsCode: 'return items.filter(({ json }) => !json.called)' },
    });
    const mark = aNode({
      name: 'Mark',
      type: 'base.set',
      typeVersion: 3.4,
      parameters: { mode: 'raw', jsonOutput: '{"called":true}' },
    });
    const executeWorkflow = (workflowId: string) =>
      aNode({ name: 'Call', type: 'base.execute-workflow', typeVersion: 1.1, parameters: { workflowId } });
    const called = aNode({ name: 'Called', type: 'base.execute-workflow-trigger' });
    const id = await aWorkflow([called, again], { limit: 1 });
    const graph = aChain([called, again, mark, executeWorkflow(id)], { settings: { concurrency: { limit: 1 } } });
    const { nodes, connections } = graph;
    connections['Start'] = { main: [[{ node: again.name, type: 'main', index: 0 }]] };
    await patch(`/workflows/${id}`, { nodes: [...nodes, trigger], connections });
    const ids = await start(id, 3);
    await untilStatus(ids, 'success');
    const { body } = await fleet.call('GET', '/executions?status=success');
    expect(body.data).toHaveLength(6);
  }, 60_000);
});

describe('one slot and a limit of one for each workflow', () => {
  const called = aNode({ name: 'Called', type: 'base.execute-workflow-trigger' });
  const callOf = (workflowId: string) =>
    aNode({ name: 'Call', type: 'base.execute-workflow', typeVersion: 1.1, parameters: { workflowId } });

  test.each([
    ['and a limit of one for its project', 1],
    ['without another limit', null],
  ])(
    'are enough for two concurrent callers of a chain of ten sub-workflows, %s',
    async (_, concurrency) => {
      service.release();
      const projectId = await fleet.aProject();
      await patch(`/projects/${projectId}`, { concurrency });
      let workflowId = await aWorkflow([called, aRequest('deepest')], { limit: 1 }, projectId);
      for (let depth = 1; depth < 10; depth += 1)
        workflowId = await aWorkflow([called, callOf(workflowId)], { limit: 1 }, projectId);
      const callers = [workflowId, workflowId].map((id) => aWorkflow([trigger, callOf(id)], { limit: 1 }, projectId));
      await fleet.work({}, { CONCURRENCY: '1' });
      const ids = await Promise.all((await Promise.all(callers)).map((id) => start(id)));
      await untilStatus(ids.flat(), 'success');
      expect(service.received).toBe(2);
    },
    60_000,
  );
});

describe('a changed limit', () => {
  test('starts more executions if it is raised, and all executions if it is removed', async () => {
    await fleet.work();
    const id = await aSlowWorkflow({ limit: 1 });
    await start(id, 8);
    await received(1);
    await blocked(7);
    await patch(`/workflows/${id}`, { settings: { concurrency: { limit: 3 } } });
    await received(3);
    await blocked(5);
    await patch(`/workflows/${id}`, { settings: {} });
    await received(8);
  }, 60_000);

  test('also counts executions that started before it was set', async () => {
    await fleet.work();
    const id = await aSlowWorkflow();
    await start(id, 2);
    await received(2);
    await patch(`/workflows/${id}`, { settings: { concurrency: { limit: 2 } } });
    const [waiting] = (await start(id)) as [string];
    await blocked(1);
    service.respond(1);
    await received(3);
    expect(await get(waiting)).toMatchObject({ status: 'running' });
  }, 60_000);

  test('is rejected if its value is invalid', async () => {
    const id = await aSlowWorkflow();
    for (const concurrency of [{ limit: 0 }, { limit: 1.5 }, { limit: 1, whenFull: 'drop' }, {}, 3])
      expect(await fleet.call('PATCH', `/workflows/${id}`, { settings: { concurrency } })).toMatchObject({ status: 400 });
  });
});

describe('an execution that a limit blocks', () => {
  test('can be stopped; the next execution takes its turn', async () => {
    await fleet.work();
    const id = await aSlowWorkflow({ limit: 1 });
    const [running] = (await start(id)) as [string];
    await received(1);
    const [second] = (await start(id)) as [string];
    await blocked(1);
    const [third] = (await start(id)) as [string];
    await blocked(2);
    expect(await fleet.call('POST', `/executions/${second}/stop`)).toMatchObject({ status: 200, body: { status: 'canceled' } });
    expect(await get(second)).not.toHaveProperty('waitingFor');
    await fleet.call('POST', `/executions/${running}/stop`);
    await received(2);
    service.release();
    await untilStatus([third], 'success');
    await untilStatus([running, second], 'canceled');
  }, 60_000);

  test('starts after all workers have been replaced', async () => {
    const worker = await fleet.work();
    const id = await aSlowWorkflow({ limit: 1 });
    const running = await start(id);
    await received(1);
    const ids = await start(id, 2);
    await blocked(2);
    await fleet.stop(worker); // aborts the running execution
    service.release();
    await fleet.work();
    await untilStatus(ids, 'success');
    await untilStatus(running, 'crashed');
  }, 60_000);
});

describe('a limit of a project', () => {
  test('counts the executions of its own workflows only', async () => {
    await fleet.work();
    const projectId = await fleet.aProject();
    expect(await patch(`/projects/${projectId}`, { concurrency: 2 })).toMatchObject({ concurrency: 2 });
    const ids = [
      ...(await start(await aSlowWorkflow(undefined, projectId), 3)),
      ...(await start(await aSlowWorkflow(undefined, projectId), 3)),
    ];
    await blocked(4);
    await received(2);
    const [other] = (await start(await aSlowWorkflow())) as [string];
    await received(3);
    const all = await Promise.all(ids.map(get));
    expect(all.filter(({ waitingFor }) => waitingFor).map(({ waitingFor }) => waitingFor)).toEqual(
      Array(4).fill({ limit: 'project', id: projectId }),
    );
    expect(await patch(`/projects/${projectId}`, { concurrency: null })).toMatchObject({ concurrency: null });
    await received(7);
    service.release();
    await untilStatus([...ids, other], 'success');
  }, 60_000);

  test('of one allows a workflow to call another workflow of the project', async () => {
    await fleet.work();
    service.release();
    const projectId = await fleet.aProject();
    await patch(`/projects/${projectId}`, { concurrency: 1 });
    const called = aNode({ name: 'Called', type: 'base.execute-workflow-trigger' });
    const sub = await aWorkflow([called, aRequest('sub')], undefined, projectId);
    const execute = aNode({ name: 'Call', type: 'base.execute-workflow', typeVersion: 1.1, parameters: { workflowId: sub } });
    const ids = await start(await aWorkflow([trigger, execute], undefined, projectId), 4);
    await untilStatus(ids, 'success');
    expect(service.mostAtOnce).toBeLessThanOrEqual(1);
    expect(service.received).toBe(4);
  }, 60_000);
});

describe('a limit of a credential', () => {
  async function aCredential(limits: object): Promise<string> {
    const { body } = await fleet.call('POST', '/credentials', {
      name: 'c',
      type: 'httpBasicAuth',
      data: { user: 'u', password: 'p' },
    });
    await patch(`/credentials/${body.id}`, limits);
    expect(await fleet.call('GET', `/credentials/${body.id}`)).toMatchObject({
      body: { concurrency: null, ratePerSecond: null, ...limits },
    });
    return body.id;
  }
  const aUser = (id: string) => aWorkflow([trigger, aRequest('slow', { httpBasicAuth: { id, name: 'c' } })]);

  test('counts the executions of all workflows that use it', async () => {
    await fleet.work();
    const id = await aCredential({ concurrency: 2 });
    const ids = [...(await start(await aUser(id), 3)), ...(await start(await aUser(id), 3))];
    await blocked(4);
    await received(2);
    expect((await Promise.all(ids.map(get))).filter(({ waitingFor }) => waitingFor?.limit === 'credential')).toHaveLength(4);
    expect(await patch(`/credentials/${id}`, { name: 'renamed' })).toMatchObject({ name: 'renamed' });
    await blocked(4);
    service.release();
    await untilStatus(ids, 'success');
    expect(service.mostAtOnce).toBe(2);
  }, 60_000);

  test('per second is never exceeded within any second, on two workers', async () => {
    await fleet.work();
    await fleet.work();
    service.release();
    const ids = await start(await aUser(await aCredential({ ratePerSecond: 5 })), 17);
    await untilStatus(ids, 'success');
    const { rows } = await sql<{ ms: number }>`SELECT extract(epoch FROM started_at)::float8 * 1000 AS ms FROM executions
      ORDER BY started_at`.execute(fleet.db.kysely);
    const gaps = rows.slice(5).map(({ ms }, i) => ms - (rows[i]?.ms ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(999);
  }, 60_000);
});
