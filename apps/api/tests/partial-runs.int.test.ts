import { afterAll, expect, test } from '@jest/globals';
import type { RunData } from '@sluice/domain';
import { aChain, aNode } from '@sluice/test-support';
import { startWebhookFleet } from './support/webhook-fleet.ts';

const fleet = await startWebhookFleet();
afterAll(() => fleet.close());

const assignments = [{ id: '1', name: 'y', type: 'number', value: '={{ $("A").item.json.q }}' }];
const workflowData = aChain([
  aNode({ name: 'S', type: 'base.manual-trigger' }),
  aNode({
    name: 'A',
    type: 'base.code',
    typeVersion: 2,
    parameters: { jsCode: 'return [{ json: { q: 1 } }, { json: { q: 2 } }]' },
  }),
  aNode({ name: 'N', type: 'base.no-op' }),
  aNode({ name: 'Y', type: 'base.set', typeVersion: 3.4, parameters: { mode: 'manual', assignments: { assignments } } }),
]);

const ys = (runData: RunData) => runData['Y']?.[0]?.data?.['main']?.[0]?.map(({ json }) => json['y']);

test('a run that continues from the data of another run pairs items across several nodes as that run did', async () => {
  const { body: workflow } = await fleet.api.call('POST', '/workflows', { body: workflowData });
  const run = async (body: object) =>
    (
      await fleet.api.call('POST', `/workflows/${workflow.id}/run`, {
        body: { workflowData, ...body },
        headers: { prefer: 'wait=20' },
      })
    ).body;
  const first = await run({});
  expect([first.status, ys(first.data.resultData.runData)]).toEqual(['success', [1, 2]]);
  const { runData } = first.data.resultData;
  const again = await run({ startNodes: ['Y'], runData });
  expect([again.status, ys(again.data.resultData.runData)]).toEqual(['success', [1, 2]]);
  expect(Object.keys(again.data.resultData.runData)).toEqual(['Y']);
  const itemsAlone = { A: [{ data: runData.A[0].data }], N: [{ data: runData.N[0].data }] };
  expect(ys((await run({ startNodes: ['Y'], runData: itemsAlone })).data.resultData.runData)).toEqual([1, 2]);
});

test('sources of the wrong shape are rejected', async () => {
  const { body: workflow } = await fleet.api.call('POST', '/workflows', { body: workflowData });
  const body = { startNodes: ['Y'], runData: { N: [{ source: [{ previousNode: 'A', previousNodeRun: -1 }] }] } };
  expect((await fleet.api.call('POST', `/workflows/${workflow.id}/run`, { body })).status).toBe(400);
});
