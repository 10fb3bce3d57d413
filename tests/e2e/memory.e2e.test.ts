import { afterAll, expect, test } from '@jest/globals';
import { aChain, aNode, eventually } from '@sluice/test-support';
import { startService } from './harness.ts';
import { createWorkflow, expectStatus, startRun } from './support/runs.ts';
import { sendWebhook } from './support/webhook-requests.ts';

/** Enough memory for only a few of the executions below, as in a small container. */
const heap = '--max-old-space-size=256';
const requests = 24;
const rows = Array.from({ length: 10_000 }, (_, id) => ({ id, name: `name of ${id}`, text: 'x'.repeat(100) }));

const service = await startService({ settings: { NODE_OPTIONS: heap } });
afterAll(() => service.dispose());

/** The statuses of a workflow's executions once all have ended. */
async function statusesOf(workflowId: string): Promise<string[]> {
  return eventually(
    async () => {
      const { data } = expectStatus(await service.call('GET', `/executions?workflowId=${workflowId}&limit=100`), 200);
      const statuses = data.map(({ status }: { status: string }) => status);
      if (statuses.some((status: string) => status === 'new' || status === 'running')) throw new Error('executions still run');
      return statuses;
    },
    { timeoutMs: 240_000 },
  );
}

const copies = (name: string) =>
  aNode({
    name,
    type: 'base.set',
    typeVersion: 3.4,
    parameters: {
      includeOtherFields: true,
      assignments: { assignments: [{ id: '1', name, type: 'string', value: '={{ $json.name }}' }] },
    },
  });

test('executions that together need more memory than the worker has run one after another', async () => {
  const graph = aChain([
    aNode({ name: 'Hook', type: 'base.webhook', typeVersion: 2, parameters: { httpMethod: 'POST', path: 'large' } }),
    aNode({ name: 'Split', type: 'base.split-out', parameters: { fieldToSplitOut: 'body.rows' } }),
    ...['a', 'b', 'c', 'd'].map(copies),
  ]);
  const id = await createWorkflow(service, graph);
  expectStatus(await service.call('POST', `/workflows/${id}/activate`), 200);
  const worker = service.pidOf('worker-1');
  for (let sent = 0; sent < requests; sent += 4) {
    const outcomes = Array.from({ length: 4 }, () => sendWebhook(`${service.url}/webhook/large`, { body: { rows } }));
    expect((await Promise.all(outcomes)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  }
  expect(await statusesOf(id)).toEqual(Array.from({ length: requests }, () => 'success'));
  expect(service.pidOf('worker-1')).toBe(worker);
});

test('code whose results together need more memory than the worker has runs as memory becomes free', async () => {
  const jsCode = "return [{ json: { text: 'x'.repeat(14e6) } }]";
  const start = aNode({ name: 'Start', type: 'base.manual-trigger' });
  const id = await createWorkflow(
    service,
    aChain([start, aNode({ name: 'Code', type: 'base.code', typeVersion: 2, parameters: { jsCode } })]),
  );
  const worker = service.pidOf('worker-1');
  await Promise.all(Array.from({ length: 30 }, () => startRun(service, id)));
  expect(await statusesOf(id)).toEqual(Array.from({ length: 30 }, () => 'success'));
  expect(service.pidOf('worker-1')).toBe(worker);
});

test('responses that together need more memory than the API process has are sent one after another', async () => {
  const api = service.pidOf('api');
  const { data } = expectStatus(await service.call('GET', '/executions?limit=1'), 200);
  const responses = Array.from({ length: 30 }, () => service.call('GET', `/executions/${data[0].id}?includeData=true`));
  for (const response of await Promise.all(responses)) expect(response.status).toBe(200);
  expect(service.pidOf('api')).toBe(api);
});
