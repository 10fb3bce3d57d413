import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { findFreePort } from '@sluice/embedded';
import { aChain, aNode, eventually } from '@sluice/test-support';
import { type RunningProcess, type RunningService, startApi, startService, startWorker } from './harness.ts';
import { endedBy } from './support/cleanup.ts';
import { queryDatabase } from './support/database.ts';
import { HookService, hookPackage } from './support/hook-service.ts';
import { packageFolder } from './support/own-packages.ts';
import { callerOf, createWorkflow, expectStatus } from './support/runs.ts';

const endedAtLast = endedBy(afterAll);
const ended = endedBy(afterEach);
let sluice: RunningService;
let settings: Record<string, string>;
let remote: HookService;

beforeAll(async () => {
  const { folder } = endedAtLast(await packageFolder(hookPackage));
  const port = String(await findFreePort());
  settings = { SLUICE_NODES_DIR: folder, SSRF_ALLOW: '127.0.0.1', PUBLIC_URL: `http://127.0.0.1:${port}` };
  sluice = endedAtLast(await startService({ settings: { ...settings, PORT: port, WORKERS: '0' } }));
  settings = { ...settings, DATABASE_URL: sluice.databaseUrl, REDIS_URL: sluice.redisUrl, LEASE_MS: '3000' };
});
beforeEach(async () => {
  remote = ended(await HookService.start());
});

const aHook = (events: string) => aNode({ name: 'Hook', type: 'hooks.hook', parameters: { service: remote.url, events } });
const create = (events: string) => createWorkflow(sluice, aChain([aHook(events)]));
const act = async (id: string, verb: string) => sluice.call('POST', `/workflows/${id}/${verb}`, {});
const registrationsOf = async (id: string) =>
  expectStatus(await sluice.call('GET', `/workflows/${id}/triggers`), 200).registrations;
const aWorker = async () => ended(await startWorker(settings));

/** Expires the holds of dead processes, and makes retries due. */
const timePasses = () =>
  queryDatabase(
    sluice.databaseUrl,
    `UPDATE registrations SET held_until = least(held_until, now()), due_at = least(due_at, now())`,
  );

/**
 * Activates in an API process that is killed after the service has handled a request with the
 * method.
 */
async function dieActivating(id: string, method: string): Promise<void> {
  const api = ended(await startApi(settings));
  const reached = remote.pauseAfter(method);
  const response = callerOf(api, sluice.apiKey).call('POST', `/workflows/${id}/activate`, {});
  const early = response.then(({ status, body }) => Promise.reject(new Error(`answered ${status}: ${JSON.stringify(body)}`)));
  await Promise.race([reached, early]);
  await kill(api);
  await response.catch(() => undefined);
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

test('an API that dies between the response of a service and recording it leaves nothing registered', async () => {
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
  'an API that dies while changing a registration, %s, leaves the active version with its own',
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

test('an activation after one during which an API died waits for its lease, and removes its registration', async () => {
  const id = await create('one');
  expectStatus(await act(id, 'activate'), 200);
  expectStatus(await sluice.call('PATCH', `/workflows/${id}`, { nodes: [aHook('two')] }), 200);
  await dieActivating(id, 'POST');
  expectStatus(await sluice.call('PATCH', `/workflows/${id}`, { nodes: [aHook('three')] }), 200);
  await eventually(async () => expectStatus(await act(id, 'activate'), 200));
  expect(remote.registered).toEqual(['three']);
});

test('a worker that dies while removing a registration leaves it to the next one, which queries first', async () => {
  const id = await create('one');
  expectStatus(await act(id, 'activate'), 200);
  const first = await aWorker();
  const reached = remote.pauseAfter('DELETE');
  expectStatus(await act(id, 'deactivate'), 200);
  await reached;
  await kill(first);
  expect(await registrationsOf(id)).toMatchObject([{ state: 'ending' }]);
  await timePasses();
  await aWorker();
  await settled(id, []);
  expect(remote.requests.filter((method) => method === 'DELETE')).toHaveLength(1);
});

test('an unreachable service refuses the activation, and its registration is removed once it is back', async () => {
  const id = await create('one');
  await remote.stop();
  expect(expectStatus(await act(id, 'activate'), 502).code).toBe('REGISTRATION_FAILED');
  await remote.comeBack();
  expectStatus(await act(id, 'activate'), 200);
  await remote.stop();
  expectStatus(await act(id, 'deactivate'), 200);
  await aWorker();
  await eventually(async () => {
    const [ending] = await registrationsOf(id);
    return ending?.state === 'ending' && ending.failures > 0;
  });
  await remote.comeBack();
  await timePasses();
  await settled(id, []);
});
