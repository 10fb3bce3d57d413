import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { JsonObject, WorkflowNode } from '@sluice/domain';
import { aChain, aNode } from '@sluice/test-support';
import { stopIn } from './support/cleanup.ts';
import { Fleet } from './support/fleet.ts';
import { expectEachOnce, expectOnlyKilledCrashed } from './support/fleet-outcomes.ts';
import { LoopbackServer } from './support/loopback-server.ts';
import { createWorkflow, expectStatus } from './support/runs.ts';
import { endedExecutionsOf, executionsOf, type StartedExecution } from './support/started-executions.ts';
import { sendWebhook, type WebhookOutcome } from './support/webhook-requests.ts';
import { aCall, aSet } from './support/workflows.ts';

jest.setTimeout(900_000);

const stopAfterAll = stopIn(afterAll);

const server = stopAfterAll(await LoopbackServer.start());
const fleet = stopAfterAll(await Fleet.start({ seed: 5 }));
fleet.beginKilling();

const webhook = (path: string, parameters: JsonObject = {}) =>
  aNode({ name: 'Webhook', type: 'base.webhook', typeVersion: 2.1, parameters: { path, httpMethod: 'POST', ...parameters } });

async function activate(nodes: WorkflowNode[]): Promise<string> {
  const id = await createWorkflow(fleet.service, aChain(nodes));
  expectStatus(await fleet.service.call('POST', `/workflows/${id}/activate`), 200);
  return id;
}

test('when one API process responds, the other has added or removed the route too; a conflict names the owner', async () => {
  const [one, other] = fleet.callers;
  const statusAt = async (url: string, path: string) => (await sendWebhook(`${url}/webhook/${path}`)).status;
  const owner = await createWorkflow(one, aChain([webhook('owned')]));
  expectStatus(await one.call('POST', `/workflows/${owner}/activate`), 200);
  const rival = await createWorkflow(other, aChain([webhook('owned')]));
  for (let round = 0; round < 5; round += 1) {
    const id = await createWorkflow(one, aChain([webhook(`round-${round}`)]));
    expectStatus(await one.call('POST', `/workflows/${id}/activate`), 200);
    expect(await statusAt(fleet.urls[1], `round-${round}`)).toBe(200);
    const refusal = expectStatus(await other.call('POST', `/workflows/${rival}/activate`), 409);
    expect(refusal).toMatchObject({
      code: 'WEBHOOK_PATH_TAKEN',
      message: expect.stringContaining(`node "Webhook" of workflow ${owner}`),
    });
    expectStatus(await other.call('POST', `/workflows/${id}/deactivate`), 200);
    expect(await statusAt(fleet.urls[0], `round-${round}`)).toBe(404);
    const executions = await endedExecutionsOf(fleet.databaseUrl, id);
    expectOnlyKilledCrashed(fleet, executions);
    expect(executions).toHaveLength(1);
  }
});

const pause = aNode({ name: 'Pause', type: 'base.wait', typeVersion: 1.1, parameters: { amount: 0.3, unit: 'seconds' } });
const eventOfCall = '={{ $("Webhook").first().json.body.event }}';
const respond = aNode({
  name: 'Respond',
  type: 'base.respond-to-webhook',
  typeVersion: 1.5,
  parameters: { respondWith: 'text', responseBody: eventOfCall },
});
const respondingNodes: Record<string, WorkflowNode[]> = {
  onReceived: [],
  lastNode: [aSet('Answer', '={{ { event: $("Webhook").first().json.body.event } }}')],
  responseNode: [respond],
  streaming: [respond],
};
const modes = Object.keys(respondingNodes);

describe('requests while workers are killed', () => {
  const workflows = new Map<string, string>();
  const outcomesOf = new Map<string, WebhookOutcome[]>();

  /** Sends concurrent requests with the same key to both API processes. */
  const callTwice = (mode: string, event: string) =>
    Promise.all(fleet.urls.map((url) => sendWebhook(`${url}/webhook/calls-${mode}`, { event })));

  beforeAll(async () => {
    for (const mode of modes) {
      const hook = webhook(`calls-${mode}`, { responseMode: mode });
      const traces = [aCall('before', `=${server.url}/before/{{ $execution.id }}`), pause];
      const last = aCall('after', `=${server.url}/after/{{ $execution.id }}`);
      workflows.set(mode, await activate([hook, ...traces, last, ...(respondingNodes[mode] ?? [])]));
      outcomesOf.set(mode, []);
    }
    const enough = fleet.killed.length + 3;
    const isOver = () =>
      fleet.killed.length >= enough && modes.every((mode) => mode === 'onReceived' || outcomesOf.get(mode)?.some(hasFailed));
    const caller = async (mode: string) => {
      while (!isOver()) {
        const event = randomUUID();
        const responses = await callTwice(mode, event);
        if (mode !== 'streaming') expect(summaryOf(responses[1])).toEqual(summaryOf(responses[0]));
        // The second request may have missed parts of a streamed response.
        const complete = responses.find(({ text }) => text.includes(event)) ?? responses[0];
        outcomesOf.get(mode)?.push(complete as WebhookOutcome);
        await delay(100);
      }
    };
    await Promise.all(modes.flatMap((mode) => [caller(mode), caller(mode), caller(mode)]));
  });

  test.each(modes)('%s: each request has one execution and one response, however often it is sent', async (mode) => {
    const outcomes = outcomesOf.get(mode) ?? [];
    const workflowId = workflows.get(mode) ?? '';
    const executions = await endedExecutionsOf(fleet.databaseUrl, workflowId);
    expectEachOnce(
      executions.map(eventOf),
      outcomes.map(({ event }) => event),
    );
    const again = await callTwice(mode, outcomes[0]?.event ?? '');
    if (mode !== 'streaming') expect(again.map(summaryOf)).toEqual([summaryOf(outcomes[0]), summaryOf(outcomes[0])]);
    expect(await executionsOf(fleet.databaseUrl, workflowId)).toHaveLength(outcomes.length);
  });

  test.each(modes)('%s: executions of a killed worker end as `crashed`, and their callers get an error', async (mode) => {
    const executions = await endedExecutionsOf(fleet.databaseUrl, workflows.get(mode) ?? '');
    expectOnlyKilledCrashed(fleet, executions);
    const statusOf = new Map(executions.map((execution) => [eventOf(execution), execution]));
    for (const outcome of outcomesOf.get(mode) ?? []) {
      const { id, status } = statusOf.get(outcome.event) ?? {};
      if (hasFailed(outcome))
        expect({ ...outcome, ran: status }).toMatchObject({ code: 'EXECUTION_FAILED', executionId: id, ran: 'crashed' });
      else expect(outcome.text).toMatch(new RegExp(`${outcome.event}|"executionId":"${id}"`));
    }
  });

  test.each(modes)('%s: no node runs twice', async (mode) => {
    for (const { id, status } of await executionsOf(fleet.databaseUrl, workflows.get(mode) ?? '')) {
      const traces = ['before', 'after'].map((trace) => server.calls(`/${trace}/${id}`));
      if (status === 'success') expect(traces).toEqual([1, 1]);
      else expect(Math.max(...traces)).toBeLessThanOrEqual(1);
    }
  });
});

const eventOf = ({ items }: StartedExecution) => (items[0]?.['body'] as JsonObject | undefined)?.['event'];
const hasFailed = ({ status, code }: WebhookOutcome) => status !== 200 || code !== undefined;

/** The parts that two responses to the same request have in common: not the request ID or times. */
const summaryOf = (outcome: WebhookOutcome | undefined) =>
  outcome && { status: outcome.status, code: outcome.code, executionId: outcome.executionId };
