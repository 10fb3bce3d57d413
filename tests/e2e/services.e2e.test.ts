import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject, WorkflowNode } from '@sluice/domain';
import { serviceNodeTypes } from '@sluice/nodes-services';
import { type ApiServer, exampleOf, services, startServers } from '@sluice/nodes-services/testing';
import { aChain, aNode, eventually } from '@sluice/test-support';
import { stopIn } from './support/cleanup.ts';
import { queryDatabase } from './support/database.ts';
import { Fleet } from './support/fleet.ts';
import { ProviderProxy } from './support/provider-proxy.ts';
import { createWorkflow, expectStatus, getExecution } from './support/runs.ts';
import type { ServiceAction } from './support/services/actions/service-action.ts';
import type { FollowingAction, ServiceHook } from './support/services/hooks/service-hook.ts';
import { serviceActions } from './support/services/service-actions.ts';
import { serviceHooks } from './support/services/service-hooks.ts';
import { type ServicePoll, servicePolls } from './support/services/service-polls.ts';
import { requestsOf } from './support/services/service-requests.ts';
import { executionsOf } from './support/started-executions.ts';

const publicUrl = 'https://sluice.example';
const stopAfterAll = stopIn(afterAll);
const serversOf = new Map<string, ApiServer[]>();
/** Service → promise of its checks. */
const workflows = new Map<string, Promise<void>>();
/**
 * Workflows in a lane run one after another. All at once would exceed the database connections of
 * their user.
 */
const lanes: Promise<void>[] = Array.from({ length: 24 }, () => Promise.resolve());
let proxy: ProviderProxy;
let fleet: Fleet;

beforeAll(async () => {
  for (const service of services) serversOf.set(service, await startServers(service));
  const [dropbox] = serversOf.get('dropbox') ?? [];
  proxy = stopAfterAll(await ProviderProxy.start([...serversOf.values()].flat(), { 'content.dropboxapi.com': dropbox }));
  // Many workflows start at once: a worker that renews its lease late must not count as dead.
  const settings = { ...proxy.settings, PUBLIC_URL: publicUrl, LEASE_MS: '60000' };
  fleet = stopAfterAll(await Fleet.start({ seed: 1, settings }));
  const start = (service: string, run: () => Promise<void>) => {
    const lane = workflows.size % lanes.length;
    const workflow = (lanes[lane] ?? Promise.resolve()).then(run);
    lanes[lane] = workflow.catch(() => undefined);
    workflows.set(service, workflow);
  };
  for (const [service, hook] of Object.entries(serviceHooks)) start(service, () => runHook(service, hook));
  for (const [service, poll] of Object.entries(servicePolls)) start(service, () => runPoll(service, poll));
  for (const [service, action] of Object.entries(serviceActions)) start(service, () => runAction(service, action));
});
afterAll(() => Promise.all([...serversOf.values()].flat().map((server) => server.close())));

test('every service has a workflow', () => {
  expect([...workflows.keys()].toSorted()).toEqual(services.toSorted());
});

describe('a delivery to a registered URL starts one execution', () => {
  test.each(Object.keys(serviceHooks))('%s', (service) => workflows.get(service));
});

describe('a poll starts one execution for a new item', () => {
  test.each(Object.keys(servicePolls))('%s', (service) => workflows.get(service));
});

describe('the documented example of an action runs in a webhook workflow', () => {
  test.each(Object.keys(serviceActions))('%s', (service) => workflows.get(service));
});

test('every request matches an operation in the API of its service', async () => {
  await Promise.allSettled(workflows.values());
  expect(proxy.unmatched).toEqual([]);
  for (const server of [...serversOf.values()].flat()) server.verify();
});

/** Activates the workflow at one API process; the other one receives the deliveries. */
async function runHook(service: string, hook: ServiceHook): Promise<void> {
  const servers = serversOf.get(service) ?? [];
  const stored = hook.register?.(servers, async (url) => (await fetch(reachable(url))).text()) ?? {};
  const nodes = await triggerAndAction(service, hook);
  const id = await createWorkflow(fleet.service, aChain(nodes));
  const { urls } = expectStatus(await fleet.service.call('POST', `/workflows/${id}/activate`), 200);
  const address: string = urls.find(({ methods }: { methods: string[] }) => methods.includes('POST')).url;
  expect((stored.url ?? address).split('?')[0]).toBe(address);
  const url = stored.url ?? address;
  const registration = { ...stored, url };
  const before = servers.map(({ received }) => received.length);

  expect(await deliver(hook, { ...registration, secret: 'guess' }, 'forged')).toBeGreaterThanOrEqual(400);
  for (let times = hook.hasIds ? 2 : 1; times > 0; times -= 1) expect(await deliver(hook, registration)).toBe(200);
  const executionId = await untilDone(service, hook.action, { id, before });
  if (hook.hasIds) {
    // Simulates a workflow that keeps no executions: a repeated delivery must still start nothing.
    await queryDatabase(fleet.databaseUrl, 'DELETE FROM executions WHERE id = $1', [executionId]);
    expect(await deliver(hook, registration)).toBe(200);
    expect(await executionsOf(fleet.databaseUrl, id)).toEqual([]);
  }

  expectStatus(await fleet.callers[1].call('POST', `/workflows/${id}/deactivate`), 200);
  await eventually(() => expect(stored.url).toBeUndefined());
}

/**
 * Delivers the event and resolves to the status of the response. A forged delivery is signed for
 * other content.
 */
async function deliver(
  { event, headers, isForm }: ServiceHook,
  { url, secret }: { url: string; secret?: string | undefined },
  forged?: 'forged',
): Promise<number> {
  const text = JSON.stringify(event);
  const signed = headers(forged ? `${text} ` : text, { url, secret });
  const target = new URL(reachable(url));
  if (forged && isForm) target.search = '?token=guess';
  const form = new FormData();
  if (isForm) for (const [name, value] of Object.entries(event)) form.set(name, String(value));
  const type = isForm ? {} : { 'content-type': 'application/json' };
  const response = await fetch(target, { method: 'POST', headers: { ...type, ...signed }, body: isForm ? form : text });
  await response.body?.cancel();
  return response.status;
}

/** The URL at the second API process, which a load balancer could have chosen. */
const reachable = (url: string): string => url.replace(publicUrl, fleet.urls[1]);

async function runPoll(service: string, poll: ServicePoll): Promise<void> {
  const servers = serversOf.get(service) ?? [];
  const add = poll.fill(servers[0] as ApiServer);
  const pollTimes = { item: [{ mode: 'custom', cronExpression: '* * * * * *' }] };
  const [trigger, action] = await triggerAndAction(service, poll);
  const everySecond = { ...trigger, parameters: { ...trigger.parameters, pollTimes } };
  const id = await createWorkflow(fleet.service, aChain([everySecond, action]));
  expectStatus(await fleet.service.call('POST', `/workflows/${id}/activate`), 200);
  await untilPolled(id);
  const before = servers.map(({ received }) => received.length);
  add();
  await untilDone(service, poll.action, { id, before });
  await untilPolled(id);
  await untilPolled(id);
  expect(await executionsOf(fleet.databaseUrl, id)).toHaveLength(1);
  expectStatus(await fleet.callers[1].call('POST', `/workflows/${id}/deactivate`), 200);
}

/** Waits for the end of a successful poll. */
async function untilPolled(id: string): Promise<void> {
  const lastAt = async () => {
    const { data } = expectStatus(await fleet.callers[1].call('GET', `/workflows/${id}/triggers`), 200);
    expect(data[0].lastError).toBeNull();
    return data[0].lastSuccessAt;
  };
  const first = await lastAt();
  await eventually(async () => expect(await lastAt()).not.toBe(first));
}

/** Runs the documented example of the node with the request body as its item. */
async function runAction(service: string, { credentials, requests, items }: ServiceAction): Promise<void> {
  const { parameters, inputs, outputs } = await exampleOf(service);
  const webhook = aNode({
    name: 'Webhook',
    type: 'base.webhook',
    typeVersion: 2,
    parameters: { httpMethod: 'POST', path: service, responseMode: 'lastNode', responseData: 'allEntries' },
  });
  const body = aNode({
    name: 'Body',
    type: 'base.set',
    typeVersion: 3.4,
    parameters: { mode: 'raw', jsonOutput: '={{ $json.body }}' },
  });
  const action = aServiceNode('Action', service, parameters, await createCredentials(credentials));
  const id = await createWorkflow(fleet.service, aChain([webhook, body, action]));
  expectStatus(await fleet.service.call('POST', `/workflows/${id}/activate`), 200);
  const response = await fetch(`${fleet.urls[1]}/webhook/${service}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(inputs?.[0]?.[0]),
  });
  const returned = await response.json();
  await untilSucceeded(id);
  expect(returned).toEqual(items ?? outputs?.[0]);
  expect(serversOf.get(service)?.flatMap(requestsOf)).toEqual(requests);
}

async function triggerAndAction(
  service: string,
  { credentials, parameters, action }: ServiceHook | ServicePoll,
): Promise<[WorkflowNode, WorkflowNode]> {
  const ids = await createCredentials(credentials);
  const { parameters: example } = await exampleOf(`${service}-trigger`);
  return [
    aServiceNode('Trigger', `${service}-trigger`, { ...example, ...parameters }, ids),
    aServiceNode('Action', action.type ?? service, action.parameters, ids),
  ];
}

type Ids = Readonly<Record<string, { id: string; name: string }>>;

async function createCredentials(credentials: Readonly<Record<string, JsonObject>>): Promise<Ids> {
  const created = Object.entries(credentials).map(async ([type, data]) => {
    const { id } = expectStatus(await fleet.service.call('POST', '/credentials', { name: type, type, data }), 201);
    return [type, { id, name: type }] as const;
  });
  return Object.fromEntries(await Promise.all(created));
}

/** A node with the credentials that its type accepts. */
function aServiceNode(name: string, type: string, parameters: JsonObject, ids: Ids): WorkflowNode {
  const description = serviceNodeTypes.get(type)?.().description;
  const { version = 4.2, defaultVersion, credentials } = description ?? {};
  const accepted = Object.entries(ids).filter(
    ([one]) => !credentials || credentials.some((credential) => credential.name === one),
  );
  const typeVersion = defaultVersion ?? Math.max(...[version].flat());
  return aNode({ name, type: `base.${type}`, typeVersion, parameters, credentials: Object.fromEntries(accepted) });
}

/**
 * Waits for the only execution to end, and checks that its action sent the request once and
 * returned the expected items. Resolves to the execution ID.
 */
async function untilDone(
  service: string,
  { request, items }: FollowingAction,
  { id, before }: { id: string; before: readonly number[] },
): Promise<string> {
  const executionId = await untilSucceeded(id);
  const { data } = await getExecution(fleet.callers[1], executionId);
  const [output = []] = data.resultData.runData.Action[0].data.main;
  expect(output.map(({ json }: { json: JsonObject }) => json)).toEqual(items);
  const sent = (serversOf.get(service) ?? []).flatMap((server, index) => requestsOf(server).slice(before[index]));
  expect(sent.filter(([name]) => name === request[0])).toEqual([request]);
  return executionId;
}

/**
 * Waits for the only execution of the workflow to succeed on a worker of the fleet. Resolves to its
 * ID.
 */
async function untilSucceeded(id: string): Promise<string> {
  const executions = await eventually(async () => {
    const started = await executionsOf(fleet.databaseUrl, id);
    expect(started.map(({ status }) => status)).not.toContainEqual(expect.stringMatching(/^(new|running)$/));
    expect(started).not.toEqual([]);
    return started;
  });
  expect(executions.map(({ status, error }) => [status, error])).toEqual([['success', null]]);
  expect(fleet.slotOf(executions[0]?.workerId ?? '')).toBeDefined();
  return executions[0]?.id ?? '';
}
