import { afterAll, describe, expect, test } from '@jest/globals';
import type { JsonObject, WorkflowNode } from '@sluice/domain';
import { aChain, aNode, eventually } from '@sluice/test-support';
import { ownerKey } from './support/test-api.ts';
import { aPath, startWebhookFleet } from './support/webhook-fleet.ts';

const fleet = await startWebhookFleet({ TIMEZONE: 'Asia/Tokyo' });
afterAll(() => fleet.close());

const workflowTrigger = (events: string[], changes: Partial<WorkflowNode> = {}) =>
  aNode({ name: 'Trigger', type: 'n8n-nodes-base.workflowTrigger', parameters: { events }, ...changes });

async function create(nodes: WorkflowNode[]): Promise<string> {
  return (await fleet.api.call('POST', '/workflows', { body: aChain(nodes) })).body.id;
}
const act = (id: string, verb: 'activate' | 'deactivate' = 'activate') => fleet.api.call('POST', `/workflows/${id}/${verb}`);
async function save(id: string, graph: WorkflowNode[]): Promise<void> {
  const { nodes, connections } = aChain(graph);
  expect((await fleet.api.call('PATCH', `/workflows/${id}`, { body: { nodes, connections } })).status).toBe(200);
}
const after = (name: string) => aNode({ name, type: 'base.no-op' });

/** Waits until `count` executions of a workflow have ended. Resolves to their final output. */
async function itemsOf(id: string, count: number): Promise<JsonObject[]> {
  await eventually(async () => expect(await fleet.statusesOf(id)).toEqual(Array(count).fill('success')));
  const { body } = await fleet.api.call('GET', `/executions?workflowId=${id}&includeData=true`);
  return body.data
    .toReversed()
    .map(({ data }: { data: { resultData: { runData: Record<string, [{ data: { main: [[{ json: JsonObject }]] } }]> } } }) => {
      const runs = Object.values(data.resultData.runData);
      return runs.at(-1)?.[0].data.main[0][0].json;
    });
}

describe('a workflow trigger', () => {
  test('starts once when it is activated, and once for each later version', async () => {
    const id = await create([workflowTrigger(['activate', 'update']), after('One')]);
    await act(id);
    await act(id);
    await save(id, [workflowTrigger(['activate', 'update']), after('Two')]);
    await act(id);
    await act(id, 'deactivate');
    await act(id);
    const items = await itemsOf(id, 3);
    const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*\+09:00$/);
    expect(items).toEqual(['activate', 'update', 'activate'].map((event) => ({ event, timestamp, workflow_id: id })));
  });

  test('starts the newly activated version at its trigger node', async () => {
    const trigger = workflowTrigger(['activate'], { name: 'Newer', type: 'base.n8n-trigger' });
    const id = await create([trigger, after('One'), workflowTrigger(['update'])]);
    await act(id);
    await itemsOf(id, 1);
    const { body } = await fleet.api.call('GET', `/executions?workflowId=${id}&includeData=true`);
    expect(Object.keys(body.data[0].data.resultData.runData)).toEqual(['Newer', 'One', 'Trigger']);
    expect((await fleet.api.call('GET', `/workflows/${id}/triggers`)).body.data).toMatchObject([
      { nodeName: 'Newer', kind: 'workflow', status: 'active', nextRunAt: null, lastExecutionId: body.data[0].id },
      { nodeName: 'Trigger', kind: 'workflow', status: 'active', nextRunAt: null, lastExecutionId: null },
    ]);
  });

  test('starts once for concurrent activations at any replica', async () => {
    const id = await create([workflowTrigger(['activate', 'update'])]);
    const activate = (url: string) =>
      fetch(`${url}/api/v1/workflows/${id}/activate`, { method: 'POST', headers: { 'x-service-api-key': ownerKey } });
    const responses = await Promise.all([1, 2, 3].flatMap(() => [activate(fleet.api.url), activate(fleet.otherUrl)]));
    expect(responses.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(await itemsOf(id, 1)).toMatchObject([{ event: 'activate' }]);
  });

  test('starts nothing for a failed activation or a version that is only stored', async () => {
    const path = aPath();
    await fleet.activate({ path });
    const hook = aNode({ name: 'Webhook', type: 'base.webhook', typeVersion: 2.1, parameters: { path } });
    const id = await create([workflowTrigger(['activate', 'update']), hook]);
    expect((await act(id)).status).toBe(409);
    await save(id, [workflowTrigger(['activate', 'update']), after('Instead')]);
    expect(await fleet.statusesOf(id)).toEqual([]);
  });

  test('must subscribe to an event, and cannot subscribe to the start of the instance', async () => {
    const type = 'n8n-nodes-base.n8nTrigger';
    const refused = async (events: string[]) => (await act(await create([workflowTrigger(events, { type })]))).body;
    expect(await refused(['init', 'activate'])).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ path: '/nodes/0/parameters', message: expect.stringContaining('the event "init" (instance started)') }],
    });
    expect((await refused([])).details[0].message).toContain('"events" must name at least one event');
  });
});

test.each(['base.error-trigger', 'base.execute-workflow-trigger'])(
  'a workflow whose only trigger is %s can be active',
  async (type) => {
    const id = await create([aNode({ name: 'Begin', type }), after('Then')]);
    const { status, body } = await act(id);
    expect([status, body.active]).toEqual([200, true]);
    expect((await fleet.api.call('GET', `/workflows/${id}/triggers`)).body.data).toEqual([]);
    expect(await fleet.statusesOf(id)).toEqual([]);
  },
);
