import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { findFreePort } from '@sluice/embedded';
import { aChain, aNode, eventually } from '@sluice/test-support';
import { type RunningService, startApi, startService, startWorker } from './harness.ts';
import { stopIn } from './support/cleanup.ts';
import { queryDatabase } from './support/database.ts';
import { HookService, hookPackage } from './support/hook-service.ts';
import { packageFolder } from './support/own-packages.ts';
import { callerOf, createWorkflow, expectStatus } from './support/runs.ts';

const stopAfterAll = stopIn(afterAll);
const stopAfterEach = stopIn(afterEach);
let sluice: RunningService;
let settings: Record<string, string>;
let remote: HookService;

beforeAll(async () => {
  const { folder } = stopAfterAll(await packageFolder(hookPackage));
  const port = String(await findFreePort());
  settings = { SLUICE_NODES_DIR: folder, SSRF_ALLOW: '127.0.0.1', PUBLIC_URL: `http://127.0.0.1:${port}` };
  sluice = stopAfterAll(await startService({ settings: { ...settings, PORT: port, WORKERS: '0' } }));
  settings = { ...settings, DATABASE_URL: sluice.databaseUrl, REDIS_URL: sluice.redisUrl, LEASE_MS: '3000' };
});
beforeEach(async () => {
  remote = stopAfterEach(await HookService.start());
});

const hookNode = (events: string) => aNode({ name: 'Hook', type: 'hooks.hook', parameters: { service: remote.url, events } });
const create = (events: string) => createWorkflow(sluice, aChain([hookNode(events)]));
const act = async (id: string, verb: string) => sluice.call('POST', `/workflows/${id}/${verb}`, {});
const registrationsOf = async (id: string) =>
  expectStatus(await sluice.call('GET', `/workflows/${id}/triggers`), 200).registrations;
const startOwnWorker = async () => stopAfterEach(await startWorker(settings));

/** Expires the holds of killed processes, and makes retries due. */
const expireHolds = () =>
  queryDatabase(
    sluice.databaseUrl,
    `UPDATE registrations SET held_until = least(held_until, now()), due_at = least(due_at, now())`,
  );

/**
 * Activates the workflow in an API process that is killed once the service has handled a request
 * with the method.
 */
async function killDuringActivation(id: string, method: string): Promise<void> {
  const api = stopAfterEach(await startApi(settings));
  const reached = remote.pauseAfter(method);
  const response = callerOf(api, sluice.apiKey).call('POST', `/workflows/${id}/activate`, {});
  const early = response.then(({ status, body }) => Promise.reject(new Error(`responded ${status}: ${JSON.stringify(body)}`)));
  await Promise.race([reached, early]);
  await api.kill();
  await response.catch(() => undefined);
}

async function untilSettled(id: string, registered: string[], expected: object[] = []): Promise<void> {
  await eventually(async () => {
    expect(remote.registered).toEqual(registered);
    expect(await registrationsOf(id)).toMatchObject(expected);
  });
}

test('an API process that is killed before it records the response of a service leaves no registration', async () => {
  const id = await create('one');
  await killDuringActivation(id, 'POST');
  expect(remote.registered).toEqual(['one']);
  expect(expectStatus(await sluice.call('GET', `/workflows/${id}`), 200).active).toBe(false);
  await expireHolds();
  await startOwnWorker();
  await untilSettled(id, []);
});

test.each([
  ['before it creates the new one', 'DELETE', []],
  ['after it creates the new one', 'POST', ['two']],
])(
  'an API process that is killed while replacing a registration, %s, leaves the active version registered',
  async (_, method, meanwhile) => {
    const id = await create('one');
    expectStatus(await act(id, 'activate'), 200);
    expectStatus(await sluice.call('PATCH', `/workflows/${id}`, { nodes: [hookNode('two')] }), 200);
    await killDuringActivation(id, method);
    expect(remote.registered).toEqual(meanwhile);
    await expireHolds();
    await startOwnWorker();
    await untilSettled(id, ['one'], [{ state: 'registered', failures: 0 }]);
    expectStatus(await act(id, 'activate'), 200);
    expect(remote.registered).toEqual(['two']);
    expectStatus(await act(id, 'deactivate'), 200);
    await untilSettled(id, []);
  },
);

test('an activation waits for the lease of a previous one whose API process was killed, and removes its registration', async () => {
  const id = await create('one');
  expectStatus(await act(id, 'activate'), 200);
  expectStatus(await sluice.call('PATCH', `/workflows/${id}`, { nodes: [hookNode('two')] }), 200);
  await killDuringActivation(id, 'POST');
  expectStatus(await sluice.call('PATCH', `/workflows/${id}`, { nodes: [hookNode('three')] }), 200);
  await eventually(async () => expectStatus(await act(id, 'activate'), 200));
  expect(remote.registered).toEqual(['three']);
});

test('if a worker is killed while removing a registration, the next one first checks whether it still exists', async () => {
  const id = await create('one');
  expectStatus(await act(id, 'activate'), 200);
  const first = await startOwnWorker();
  const reached = remote.pauseAfter('DELETE');
  expectStatus(await act(id, 'deactivate'), 200);
  await reached;
  await first.kill();
  expect(await registrationsOf(id)).toMatchObject([{ state: 'ending' }]);
  await expireHolds();
  await startOwnWorker();
  await untilSettled(id, []);
  expect(remote.requests.filter((method) => method === 'DELETE')).toHaveLength(1);
});

test('an activation fails while the service is unreachable, and a pending removal completes once it is back', async () => {
  const id = await create('one');
  await remote.stop();
  expect(expectStatus(await act(id, 'activate'), 502).code).toBe('REGISTRATION_FAILED');
  await remote.restart();
  expectStatus(await act(id, 'activate'), 200);
  await remote.stop();
  expectStatus(await act(id, 'deactivate'), 200);
  await startOwnWorker();
  await eventually(async () => {
    const [ending] = await registrationsOf(id);
    return ending?.state === 'ending' && ending.failures > 0;
  });
  await remote.restart();
  await expireHolds();
  await untilSettled(id, []);
});
