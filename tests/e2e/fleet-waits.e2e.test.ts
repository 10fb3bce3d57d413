import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { JsonObject, WorkflowNode, WorkflowSettings } from '@sluice/domain';
import { aChain, aNode, eventually } from '@sluice/test-support';
import { stopIn } from './support/cleanup.ts';
import { Fleet } from './support/fleet.ts';
import { expectEachOnce, expectOnlyKilledCrashed } from './support/fleet-outcomes.ts';
import { LoopbackServer } from './support/loopback-server.ts';
import { createWorkflow, expectStatus } from './support/runs.ts';
import { endedExecutionsOf, executionsOf } from './support/started-executions.ts';
import { sendWebhook } from './support/webhook-requests.ts';
import { aCall } from './support/workflows.ts';

jest.setTimeout(900_000);

const stopAfterAll = stopIn(afterAll);
let fleet: Fleet;
let server: LoopbackServer;

beforeAll(async () => {
  server = stopAfterAll(await LoopbackServer.start());
  fleet = stopAfterAll(await Fleet.start({ seed: 17 }));
  fleet.beginKilling();
  await Promise.all([startWaits(), startFailures()]);
});

async function activate(
  path: string,
  nodes: WorkflowNode[],
  settings: WorkflowSettings = {},
  parameters: JsonObject = {},
): Promise<string> {
  const webhook = aNode({
    name: 'Webhook',
    type: 'base.webhook',
    typeVersion: 2.1,
    parameters: { path, httpMethod: 'POST', ...parameters },
  });
  const id = await createWorkflow(fleet.service, aChain([webhook, ...nodes], { settings }));
  expectStatus(await fleet.service.call('POST', `/workflows/${id}/activate`), 200);
  return id;
}

const isOpen = (status: unknown) => status === 'new' || status === 'running';
const statusOf = async (id: string) => (await fleet.service.call('GET', `/executions/${id}`)).body.status;

/** Kind → event that the execution waits for: a time, or a request to the URL in its response. */
const waits: Record<string, { wait: JsonObject; address?: string }> = {
  timer: { wait: { amount: 3, unit: 'seconds' } },
  date: { wait: { resume: 'specificTime', dateTime: '={{ $("Webhook").first().json.body.at }}' } },
  webhook: { wait: { resume: 'webhook', httpMethod: 'POST' }, address: '={{ $execution.resumeUrl }}' },
  form: {
    wait: { resume: 'form', formTitle: 'Continue?', formFields: { values: [{ fieldLabel: 'Word', fieldType: 'text' }] } },
    address: '={{ $execution.resumeFormUrl }}',
  },
};
const kinds = Object.keys(waits);
const workflows = new Map<string, string>();
const started = new Map<string, string[]>(kinds.map((kind) => [kind, []]));

/**
 * Once the execution waits, sends four concurrent requests to its URL, two at each API process.
 * Sends nothing if the execution ended before it waited.
 */
async function resume(address: string, id: string): Promise<void> {
  await eventually(async () => !isOpen(await statusOf(id)));
  if ((await statusOf(id)) !== 'waiting') return;
  const { pathname } = new URL(address);
  const responses = [...fleet.urls, ...fleet.urls].map((url) => sendWebhook(`${url}${pathname}`, { body: { Word: 'yes' } }));
  const statuses = (await Promise.all(responses)).map(({ status }) => status);
  // No response is 200 if the first one was lost and its request was repeated.
  expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(1);
  expect(statuses.filter((status) => status === 409).length).toBeGreaterThanOrEqual(3);
}

async function startOne(kind: string): Promise<void> {
  const at = new Date(Date.now() + 3_000).toISOString();
  const response = await sendWebhook(`${fleet.urls[0]}/webhook/waits-${kind}`, { body: { at } });
  const { address } = waits[kind] ?? {};
  if (!address) {
    expect(response).toMatchObject({ status: 200, executionId: expect.any(String) });
    started.get(kind)?.push(response.executionId ?? '');
    return;
  }
  const id = response.executionId ?? new URL(response.text).pathname.split('/')[2] ?? '';
  started.get(kind)?.push(id);
  if (response.status === 200) await resume(response.text, id);
  else expect(response.code).toBe('EXECUTION_FAILED');
}

/** Starts executions of each kind until three more workers have been killed. */
async function startWaits(): Promise<void> {
  for (const kind of kinds) {
    const { wait, address = '' } = waits[kind] ?? {};
    const parameters = { respondWith: 'text', responseBody: address };
    const respond = aNode({ name: 'Respond', type: 'base.respond-to-webhook', typeVersion: 1.5, parameters });
    const nodes = [
      aCall('before', `=${server.url}/before/{{ $execution.id }}`),
      ...(address === '' ? [] : [respond]),
      aNode({ name: 'Wait', type: 'base.wait', typeVersion: 1.1, parameters: { ...wait } }),
      aCall('after', `=${server.url}/after/{{ $execution.id }}`),
    ];
    workflows.set(
      kind,
      await activate(`waits-${kind}`, nodes, {}, { responseMode: address === '' ? 'onReceived' : 'responseNode' }),
    );
  }
  const enough = fleet.killed.length + 3;
  const starter = async (kind: string) => {
    for (let n = 0; n < 8 || fleet.killed.length < enough; n += 1) {
      await startOne(kind);
      await delay(200);
    }
  };
  await Promise.all(kinds.map(starter));
}

let errorWorkflow: string;
const failing = new Map<string, string>();
const endsAs = { error: 'error', timeout: 'error', crash: 'crashed' };

/** Starts executions that fail in each way, some of them on workers that are killed. */
async function startFailures(): Promise<void> {
  const caught = aNode({ name: 'Caught', type: 'base.error-trigger' });
  errorWorkflow = await createWorkflow(fleet.service, aChain([caught, aNode({ name: 'End', type: 'base.no-op' })]));
  for (const path of ['/slow', '/endless']) server.hold(path);
  const fail = aNode({ name: 'Fail', type: 'base.stop-and-error', parameters: { errorMessage: 'no' } });
  failing.set('error', await activate('error', [fail], { errorWorkflow }));
  failing.set(
    'timeout',
    await activate('timeout', [aCall('Slow', `${server.url}/slow`)], { errorWorkflow, executionTimeout: 2 }),
  );
  failing.set('crash', await activate('crash', [aCall('Endless', `${server.url}/endless`)], { errorWorkflow }));
  const enough = fleet.killed.length + 2;
  for (let n = 0; n < 4 || fleet.killed.length < enough; n += 1) {
    const responses = await Promise.all(
      ['error', 'timeout'].map((kind, index) => sendWebhook(`${fleet.urls[index]}/webhook/${kind}`)),
    );
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    await delay(300);
  }
  await Promise.all(Array.from({ length: 4 }, () => sendWebhook(`${fleet.urls[0]}/webhook/crash`)));
  await killWorkersOf(failing.get('crash') ?? '', 4);
}

/** Kills the workers that run the workflow until `count` of its executions are `crashed`. */
async function killWorkersOf(workflowId: string, count: number): Promise<void> {
  await eventually(
    async () => {
      const executions = await executionsOf(fleet.databaseUrl, workflowId);
      for (const { status, workerId } of executions) if (status === 'running') await fleet.kill(workerId ?? '');
      expect(executions.filter(({ status }) => status === 'crashed')).toHaveLength(count);
    },
    { timeoutMs: 120_000 },
  );
}

describe('waiting executions while workers are killed', () => {
  test.each(kinds)('%s: resumes once, and no node runs twice', async (kind) => {
    const executions = await endedExecutionsOf(fleet.databaseUrl, workflows.get(kind) ?? '');
    expectEachOnce(
      executions.map(({ id }) => id),
      started.get(kind) ?? [],
    );
    expectOnlyKilledCrashed(fleet, executions);
    expect(executions.map(({ status }) => status)).toContain('success');
    for (const { id, status } of executions) {
      const traces = ['before', 'after'].map((trace) => server.calls(`/${trace}/${id}`));
      if (status === 'success') expect(traces).toEqual([1, 1]);
      else expect(Math.max(...traces)).toBeLessThanOrEqual(1);
    }
  });
});

describe('an error workflow', () => {
  test.each(Object.entries(endsAs))('starts once for each execution that ends with %s', async (kind, status) => {
    const failed = await endedExecutionsOf(fleet.databaseUrl, failing.get(kind) ?? '');
    expect(failed.map((execution) => execution.status)).toContain(status);
    expectOnlyKilledCrashed(
      fleet,
      failed.filter((execution) => execution.status !== status || status === 'crashed'),
    );
    const notified = async () => {
      const ids = new Set(failed.map(({ id }) => id));
      return (await executionsOf(fleet.databaseUrl, errorWorkflow)).flatMap(({ errorOf }) =>
        ids.has(errorOf ?? '') ? [errorOf] : [],
      );
    };
    await eventually(async () => expect((await notified()).length).toBeGreaterThanOrEqual(failed.length));
    expectEachOnce(
      await notified(),
      failed.map(({ id }) => id),
    );
  });

  test('ran exactly once for each failed execution, and crashed only if its worker was killed', async () => {
    const runs = await endedExecutionsOf(fleet.databaseUrl, errorWorkflow);
    expectOnlyKilledCrashed(fleet, runs);
    const all = await Promise.all([...failing.values()].map((id) => executionsOf(fleet.databaseUrl, id)));
    expectEachOnce(
      runs.map(({ errorOf }) => errorOf),
      all.flat().map(({ id }) => id),
    );
  });
});
