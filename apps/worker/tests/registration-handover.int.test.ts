import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { RegistrationRepository } from '@sluice/db';
import type { WorkflowNode } from '@sluice/domain';
import { aNode, eventually } from '@sluice/test-support';
import { sql } from 'kysely';
import { HookFleet } from './support/hook-fleet.ts';

const fleet = await HookFleet.start();
afterEach(async () => {
  await fleet.reset();
  await fleet.db.kysely.deleteFrom('workflows').execute();
  await fleet.db.kysely.deleteFrom('registrations').execute();
  fleet.service.hooks.clear();
  fleet.service.single = null;
  fleet.service.requests.length = 0;
});
afterAll(() => fleet.close());

const aHook = async (changes: Partial<WorkflowNode> = {}, events = 'all'): Promise<WorkflowNode> =>
  aNode({
    id: 'h',
    name: 'Hook',
    type: 'acme.hook-trigger',
    parameters: { service: fleet.service.url, events },
    credentials: { hookApi: await fleet.credential() },
    ...changes,
  });

async function create(...nodes: WorkflowNode[]): Promise<string> {
  const { status, body } = await fleet.call('POST', '/workflows', { name: 'Hooked', nodes, connections: {} });
  expect(status).toBe(201);
  return body.id;
}

const patch = (id: string, ...nodes: WorkflowNode[]) => fleet.call('PATCH', `/workflows/${id}`, { nodes });
const activate = async (id: string) => (await fleet.call('POST', `/workflows/${id}/activate`)).status;
const deactivate = (id: string) => fleet.call('POST', `/workflows/${id}/deactivate`);
const deletions = () => fleet.service.requests.filter((request) => request.startsWith('DELETE'));
const rows = () => fleet.db.kysely.selectFrom('registrations').selectAll().orderBy('node_name').execute();
const makeDue = () => sql`UPDATE registrations SET due_at = now() WHERE due_at IS NOT NULL`.execute(fleet.db.kysely);

/** Waits until the workers have completed all pending changes. */
async function settled(): Promise<void> {
  await fleet.work();
  await eventually(async () => (await rows()).every((row) => row.due_at === null));
}

async function shown(id: string): Promise<unknown[]> {
  const { body } = await fleet.call('GET', `/workflows/${id}/triggers`);
  return body.registrations.map(({ nodeName, state }: { nodeName: string; state: string }) => `${nodeName} ${state}`);
}

describe('registrations stay at the service with the data of the node', () => {
  test('when the node is renamed', async () => {
    fleet.service.shakesHands = true;
    const id = await create(await aHook());
    expect(await activate(id)).toBe(200);
    await patch(id, await aHook({ name: 'New' }));
    expect(await activate(id)).toBe(200);
    await settled();
    expect([fleet.service.urls, deletions()]).toEqual([[fleet.hookUrl(id)], []]);
    expect(await shown(id)).toEqual(['New registered']);
    expect((await rows())[0]?.data).toEqual({ id: expect.any(String), secret: 's3' });
  });

  test('when nodes swap their names', async () => {
    const id = await create(await aHook({ id: 'a', name: 'A' }, 'one'), await aHook({ id: 'b', name: 'B' }, 'two'));
    expect(await activate(id)).toBe(200);
    const before = [...fleet.service.hooks];
    await patch(id, await aHook({ id: 'a', name: 'B' }, 'one'), await aHook({ id: 'b', name: 'A' }, 'two'));
    expect(await activate(id)).toBe(200);
    await settled();
    expect([...fleet.service.hooks]).toEqual(before);
    expect((await rows()).map(({ node_name, data }) => [node_name, data['id']])).toEqual([
      ['A', before[1]?.[0]],
      ['B', before[0]?.[0]],
    ]);
  });

  test('when the activation with the new name fails, and when it succeeds later', async () => {
    const id = await create(await aHook());
    expect(await activate(id)).toBe(200);
    await patch(id, await aHook({ name: 'New' }), await aHook({ id: 'x', name: 'Other' }, 'other'));
    fleet.service.failing.set('POST', 1);
    expect(await activate(id)).toBe(502);
    await settled();
    expect([fleet.service.urls, await shown(id)]).toEqual([[fleet.hookUrl(id)], ['Hook registered']]);
    expect(await activate(id)).toBe(200);
    expect([fleet.service.urls.length, await shown(id)]).toEqual([2, ['New registered', 'Other registered']]);
  });

  test.each([
    ['deleted', (id: string) => fleet.call('DELETE', `/workflows/${id}`)],
    ['deactivated', deactivate],
  ])('when its workflow is %s and another workflow is activated with the same registration', async (_, end) => {
    fleet.service.shakesHands = true;
    const [first, second] = [
      await create(await aHook({ webhookId: 'mine' })),
      await create(await aHook({ webhookId: 'mine' })),
    ];
    expect(await activate(first)).toBe(200);
    const before = [...fleet.service.hooks];
    await end(first);
    expect(await activate(second)).toBe(200);
    await settled();
    expect([...fleet.service.hooks]).toEqual(before);
    expect((await rows()).map(({ workflow_id, wanted, data }) => [workflow_id, wanted, data['secret']])).toEqual([
      [second, true, 's3'],
    ]);
  });

  test('when the removal has failed for hours before another workflow requests the registration', async () => {
    const [first, second] = [
      await create(await aHook({ webhookId: 'mine' })),
      await create(await aHook({ webhookId: 'mine' })),
    ];
    await activate(first);
    fleet.service.failing.set('DELETE', 1_000);
    await deactivate(first);
    await fleet.work();
    await eventually(async () => (await rows())[0]?.failures === 1);
    expect(await activate(second)).toBe(200);
    fleet.service.behave();
    fleet.service.requests.length = 0;
    await makeDue();
    await settled();
    expect([fleet.service.urls.length, deletions()]).toEqual([1, []]);
  });

  test('when they belong to an active workflow: another workflow is rejected before any request to the service', async () => {
    const first = await create(await aHook({ webhookId: 'mine' }));
    const level = { service: fleet.service.url, events: 'all', level: 'high' };
    const second = await create(await aHook({ webhookId: 'mine', parameters: level }));
    await activate(first);
    fleet.service.requests.length = 0;
    const { status, body } = await fleet.call('POST', `/workflows/${second}/activate`);
    expect([status, body.code]).toEqual([409, 'WEBHOOK_PATH_TAKEN']);
    expect(body.message).toContain(`of workflow ${first}`);
    await settled();
    expect(fleet.service.requests).toEqual([]);
    const project = await fleet.call('POST', '/projects', { name: 'elsewhere' });
    const destinationProjectId = project.body.id;
    expect((await fleet.call('PUT', `/workflows/${first}/transfer`, { destinationProjectId })).status).toBe(204);
    const foreign = await fleet.call('POST', `/workflows/${second}/activate`);
    expect(foreign.body.message).toMatch(/is taken by another workflow$/);
  });

  test('when several workflows request the same registration concurrently: one gets it, and the failures of the others remove nothing', async () => {
    const ids = [];
    for (let i = 0; i < 4; i++) ids.push(await create(await aHook({ webhookId: 'mine' })));
    const working = fleet.work();
    const statuses = await Promise.all(ids.map(activate));
    expect(statuses.toSorted()).toEqual([200, 409, 409, 409]);
    await working;
    await settled();
    expect([fleet.service.urls.length, deletions()]).toEqual([1, []]);
  });

  test('when an identical registration is due to be removed', async () => {
    const id = await create(await aHook({ webhookId: 'mine' }));
    await activate(id);
    // The state after a second workflow lost the race for the URL during its activation.
    await sql`INSERT INTO registrations (workflow_id, project_id, node_name, name, subject, data, wanted, due_at, unwanted_at)
      SELECT 'other', project_id, node_name, name, subject, data, false, now(), now() FROM registrations`.execute(
      fleet.db.kysely,
    );
    await settled();
    expect([fleet.service.urls.length, deletions(), (await rows()).length]).toEqual([1, [], 1]);
  });
});

test('a node with a new name and a new ID has one registration, with its new URL', async () => {
  const id = await create(await aHook());
  await activate(id);
  await patch(id, await aHook({ id: 'x', name: 'New' }));
  expect(await activate(id)).toBe(200);
  await settled();
  expect(fleet.service.urls).toEqual([expect.stringContaining(`${id}/x/all`)]);
  expect([deletions().length, fleet.service.requests.at(-1), await shown(id)]).toEqual([1, 'POST /hooks', ['New registered']]);
});

test('a registration of a workflow in another project is removed first, and its data is not passed on', async () => {
  fleet.service.shakesHands = true;
  const [first, second] = [await create(await aHook({ webhookId: 'mine' })), await create(await aHook({ webhookId: 'mine' }))];
  await activate(first);
  await deactivate(first);
  await sql`UPDATE registrations SET project_id = 'another'`.execute(fleet.db.kysely);
  fleet.service.shakesHands = false;
  expect(await activate(second)).toBe(200);
  expect([fleet.service.urls.length, deletions().length]).toEqual([1, 1]);
  await settled();
  expect([fleet.service.urls.length, deletions().length]).toEqual([1, 1]);
  expect((await rows()).map(({ workflow_id, data }) => [workflow_id, data])).toEqual([[second, { id: expect.any(String) }]]);
});

test('no worker removes a registration in progress', async () => {
  const { kysely } = fleet.db;
  const id = await create(await aHook({ webhookId: 'mine' }));
  await activate(id);
  await deactivate(id);
  await sql`INSERT INTO registrations (workflow_id, project_id, node_name, name, subject, data, wanted, held_by, held_until)
    SELECT 'other', project_id, node_name, name, subject, data, false, 'activation:x', now() + interval '1 minute'
    FROM registrations`.execute(kysely);
  const nodeTypes = ['acme.hook-trigger', 'acme.hook-trigger@1'];
  const take = () => new RegistrationRepository(kysely).take(9, { heldBy: 'worker:x', leaseMs: 1_000, nodeTypes });
  expect(await take()).toEqual([]);
  await sql`UPDATE registrations SET held_until = now() WHERE held_by = 'activation:x'`.execute(kysely);
  expect(await take()).toEqual([expect.objectContaining({ workflowId: id })]);
});

test('workers do not remove and restore registrations of one account concurrently', async () => {
  const { kysely } = fleet.db;
  const id = await create(await aHook());
  await activate(id);
  await sql`INSERT INTO registrations (workflow_id, project_id, node_name, name, subject, data, wanted, due_at, unwanted_at)
    SELECT 'other', project_id, node_name, name, subject, data, false, now(), now() FROM registrations`.execute(kysely);
  const nodeTypes = ['acme.hook-trigger', 'acme.hook-trigger@1'];
  const take = async () => {
    const registrations = await new RegistrationRepository(kysely).take(9, { heldBy: 'worker:x', leaseMs: 60_000, nodeTypes });
    return registrations.map(({ workflowId }) => workflowId);
  };
  const release = () =>
    sql`UPDATE registrations SET due_at = now(), held_until = NULL, unwanted_at = unwanted_at - interval '2 minutes'`.execute(
      kysely,
    );
  await sql`UPDATE registrations SET due_at = now()`.execute(kysely);

  expect([await take(), await take()]).toEqual([['other'], []]);
  await release();
  expect([await take(), await take()]).toEqual([[id], []]);

  await release();
  await sql`UPDATE registrations SET due_at = NULL WHERE wanted`.execute(kysely);
  expect(await take()).toEqual(['other']);
  await sql`UPDATE registrations SET due_at = now() WHERE wanted`.execute(kysely);
  expect(await take()).toEqual([]);
});

test('no activation creates a registration that a worker is removing', async () => {
  const [first, second] = [await create(await aHook({ webhookId: 'mine' })), await create(await aHook({ webhookId: 'mine' }))];
  await activate(first);
  await deactivate(first);
  const holdFor = (seconds: number) =>
    sql`UPDATE registrations SET held_by = 'worker:x', held_until = now() + ${seconds} * interval '1 second'`.execute(
      fleet.db.kysely,
    );
  await holdFor(60);
  fleet.service.requests.length = 0;
  expect([await activate(second), fleet.service.requests]).toEqual([409, []]);
  await holdFor(0);
  expect(await activate(second)).toBe(200);
});

describe('if a service has one webhook per account, the old one is removed before the next is created', () => {
  const aSingle = (events: string) => aHook({ type: 'acme.single-trigger' }, events);
  const aHooked = (events: string) => aHook({ type: 'acme.hooked', credentials: {} }, events);
  const changes = () => fleet.service.requests.filter((request) => !request.startsWith('GET'));

  test('by another workflow', async () => {
    const [first, second] = [await create(await aSingle('one')), await create(await aSingle('two'))];
    await activate(first);
    await deactivate(first);
    expect(await activate(second)).toBe(200);
    expect(fleet.service.single).toContain(`${second}/h/two`);
    await settled();
    expect(changes()).toEqual(['POST /single', 'DELETE /single', 'POST /single']);
    expect([await shown(first), await shown(second)]).toEqual([[], ['Hook registered']]);
  });

  test('by another node of the workflow', async () => {
    const id = await create(await aSingle('one'));
    await activate(id);
    await patch(id, await aHook({ id: 'x', name: 'Other', type: 'acme.single-trigger' }, 'two'));
    expect(await activate(id)).toBe(200);
    expect(fleet.service.single).toContain('/x/two');
    await settled();
    expect(changes()).toEqual(['POST /single', 'DELETE /single', 'POST /single']);
    expect(await shown(id)).toEqual(['Other registered']);
  });

  test('and is restored if the activation of that node fails', async () => {
    const id = await create(await aSingle('one'));
    await activate(id);
    await patch(id, await aHook({ id: 'x', name: 'Other', type: 'acme.single-trigger' }, 'two'));
    fleet.service.failing.set('POST', 1);
    expect(await activate(id)).toBe(502);
    await settled();
    expect([fleet.service.single, await shown(id)]).toEqual([expect.stringContaining('/h/one'), ['Hook registered']]);
  });

  test('and if that fails, registrations created since are repeated after the late removal', async () => {
    const [first, second] = [await create(await aSingle('one')), await create(await aSingle('two'))];
    await activate(first);
    await deactivate(first);
    fleet.service.failing.set('DELETE', 1);
    expect(await activate(second)).toBe(200);
    await makeDue();
    await settled();
    await eventually(async () => expect(fleet.service.single).toContain(`${second}/h/two`));
    expect(await shown(second)).toEqual(['Hook registered']);
  });

  test('with hooks that cannot be queried: nothing is created while the removal fails', async () => {
    const [first, second] = [await create(await aHooked('one')), await create(await aHooked('two'))];
    await activate(first);
    await deactivate(first);
    fleet.service.failing.set('POST', 1);
    const refused = await fleet.call('POST', `/workflows/${second}/activate`);
    expect([refused.status, refused.body.code]).toEqual([502, 'REGISTRATION_FAILED']);
    fleet.service.requests.length = 0;
    expect(await activate(second)).toBe(200);
    await settled();
    expect(fleet.service.requests).toEqual(['POST /stopped', 'POST /started?events=two']);
  });

  test('with hooks of a renamed node: no request is sent', async () => {
    const id = await create(await aHook({ type: 'acme.hooked', credentials: {} }));
    await activate(id);
    await patch(id, await aHook({ name: 'New', type: 'acme.hooked', credentials: {} }));
    expect(await activate(id)).toBe(200);
    await settled();
    expect(fleet.service.requests).toEqual(['POST /started?events=all']);
  });
});
