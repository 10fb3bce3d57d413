import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { findFreePort } from '@sluice/embedded';
import { aChain, aNode, eventually } from '@sluice/test-support';
import { type RunningProcess, type RunningService, startApi, startService, startWorker } from './harness.ts';
import { endedBy } from './support/cleanup.ts';
import { queryDatabase } from './support/database.ts';
import { packageFolder } from './support/own-packages.ts';
import { PausingService } from './support/pausing-service.ts';
import { callerOf, createWorkflow, expectStatus } from './support/runs.ts';

const hook = `
const ask = async (context, method, path, body) => {
  const request = { method, url: context.parameter('service') + path, ...(body && { body: JSON.stringify(body) }) };
  const response = await context.http.request(request, context.signal);
  return JSON.parse(Buffer.from(response.body).toString());
};
export default {
  description: {
    displayName: 'Hook', name: 'hook', group: ['trigger'], version: 1, description: 'For tests', defaults: { name: 'Hook' },
    inputs: [], outputs: ['main'],
    properties: [
      { displayName: 'Service', name: 'service', type: 'string', default: '' },
      { displayName: 'Events', name: 'events', type: 'string', default: '' },
    ],
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: '={{ $parameter.events }}' }],
  },
  execute: (context) => [[...context.items()]],
  webhookMethods: {
    default: {
      async checkExists(context) {
        const found = (await ask(context, 'GET', '/hooks')).find(({ url }) => url === context.webhookUrl());
        if (found) context.staticData.id = found.id;
        return found !== undefined;
      },
      async create(context) {
        context.staticData.id = (await ask(context, 'POST', '/hooks', { url: context.webhookUrl() })).id;
        return true;
      },
      async delete(context) {
        await ask(context, 'DELETE', '/hooks/' + context.staticData.id);
        return true;
      },
    },
  },
};`;

const endedAtLast = endedBy(afterAll);
const ended = endedBy(afterEach);
let sluice: RunningService;
let settings: Record<string, string>;
let remote: PausingService;

beforeAll(async () => {
  const { folder } = endedAtLast(await packageFolder({ remote: { 'hook.js': hook } }));
  const port = String(await findFreePort());
  settings = { SLUICE_NODES_DIR: folder, SSRF_ALLOW: '127.0.0.1', PUBLIC_URL: `http://127.0.0.1:${port}` };
  sluice = endedAtLast(await startService({ settings: { ...settings, PORT: port, WORKERS: '0' } }));
  settings = { ...settings, DATABASE_URL: sluice.databaseUrl, REDIS_URL: sluice.redisUrl, LEASE_MS: '3000' };
});
beforeEach(async () => {
  remote = ended(await PausingService.start());
});

const aHook = (events: string) => aNode({ name: 'Hook', type: 'remote.hook', parameters: { service: remote.url, events } });
const create = (events: string) => createWorkflow(sluice, aChain([aHook(events)]));
const act = async (id: string, verb: string) => sluice.call('POST', `/workflows/${id}/${verb}`, {});
const registrationsOf = async (id: string) =>
  expectStatus(await sluice.call('GET', `/workflows/${id}/triggers`), 200).registrations;
const aWorker = async () => ended(await startWorker(settings));

/** As if the time had passed that whoever died had taken for it, or that lies before the next try. */
const timePasses = () =>
  queryDatabase(
    sluice.databaseUrl,
    `UPDATE registrations SET held_until = least(held_until, now()), due_at = least(due_at, now())`,
  );

/** Activates in an API process that is killed when the service has done what a request of the method asks for. */
async function dieActivating(id: string, method: string): Promise<void> {
  const api = ended(await startApi(settings));
  const reached = remote.pauseAfter(method);
  const answer = callerOf(api, sluice.apiKey).call('POST', `/workflows/${id}/activate`, {});
  const early = answer.then(({ status, body }) => Promise.reject(new Error(`answered ${status}: ${JSON.stringify(body)}`)));
  await Promise.race([reached, early]);
  await kill(api);
  await answer.catch(() => undefined);
}

async function kill(victim: RunningProcess): Promise<void> {
  victim.signal('SIGKILL');
  await victim.exited;
}

async function settled(id: string, registered: string[], left: object[] = []): Promise<void> {
  await eventually(async () => {
    expect(remote.registered).toEqual(registered);
    expect(await registrationsOf(id)).toMatchObject(left);
  });
}

test('an API that dies between the answer of a service and its note of it leaves nothing there', async () => {
  const id = await create('one');
  await dieActivating(id, 'POST');
  expect(remote.registered).toEqual(['one']);
  expect(expectStatus(await sluice.call('GET', `/workflows/${id}`), 200).active).toBe(false);
  await timePasses();
  await aWorker();
  await settled(id, []);
});

test.each([
  ['before it has made the new one', 'DELETE', []],
  ['once it has made the new one', 'POST', ['two']],
])(
  'an API that dies over a change of what is registered, %s, leaves the version that is active with its own',
  async (_, method, meanwhile) => {
    const id = await create('one');
    expectStatus(await act(id, 'activate'), 200);
    expectStatus(await sluice.call('PATCH', `/workflows/${id}`, { nodes: [aHook('two')] }), 200);
    await dieActivating(id, method);
    expect(remote.registered).toEqual(meanwhile);
    await timePasses();
    await aWorker();
    await settled(id, ['one'], [{ state: 'registered', failures: 0 }]);
    expectStatus(await act(id, 'activate'), 200);
    expect(remote.registered).toEqual(['two']);
    expectStatus(await act(id, 'deactivate'), 200);
    await settled(id, []);
  },
);

test('an activation after one that an API has died over waits for its lease, and ends what that one has made', async () => {
  const id = await create('one');
  expectStatus(await act(id, 'activate'), 200);
  expectStatus(await sluice.call('PATCH', `/workflows/${id}`, { nodes: [aHook('two')] }), 200);
  await dieActivating(id, 'POST');
  expectStatus(await sluice.call('PATCH', `/workflows/${id}`, { nodes: [aHook('three')] }), 200);
  await eventually(async () => expectStatus(await act(id, 'activate'), 200));
  expect(remote.registered).toEqual(['three']);
});

test('a worker that dies over the end of a registration leaves it to the next one, which asks first', async () => {
  const id = await create('one');
  expectStatus(await act(id, 'activate'), 200);
  const first = await aWorker();
  const reached = remote.pauseAfter('DELETE');
  expectStatus(await act(id, 'deactivate'), 200);
  await reached;
  await kill(first);
  expect(await registrationsOf(id)).toMatchObject([{ state: 'ending' }]);
  await aWorker();
  await settled(id, []);
  expect(remote.requests.filter((method) => method === 'DELETE')).toHaveLength(1);
});

test('a service that is away refuses the activation, and what it has is ended once it is back', async () => {
  const id = await create('one');
  await remote.stop();
  expect(expectStatus(await act(id, 'activate'), 502).code).toBe('REGISTRATION_FAILED');
  await remote.comeBack();
  expectStatus(await act(id, 'activate'), 200);
  await remote.stop();
  expectStatus(await act(id, 'deactivate'), 200);
  await aWorker();
  await eventually(async () => expect((await registrationsOf(id))[0]).toMatchObject({ state: 'ending', failures: 1 }));
  await remote.comeBack();
  await timePasses();
  await settled(id, []);
});
