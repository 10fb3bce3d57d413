import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@sluice/test-support';
import { routes } from '../src/routes.ts';
import { bodyOf, chooserPackage, pathOf, someThings } from './support/example-calls.ts';
import { type OutageProxy, proxyPostgres, proxyRedis } from './support/outage-proxy.ts';
import { startTestApi } from './support/test-api.ts';

/**
 * The contract requires 3 s, which our connection timeouts (2 s and less) ensure. This limit allows
 * for a busy machine. A request that waits for Postgres or Redis still fails the test, since the
 * outage ends only after the responses.
 */
const respondsWithinMs = 15_000;

let postgres: OutageProxy;
let redis: OutageProxy;

const throughProxies = async (urls: { DATABASE_URL: string; REDIS_URL: string }) => {
  const [toPostgres, toRedis] = [await proxyPostgres(urls.DATABASE_URL), await proxyRedis(urls.REDIS_URL)];
  postgres = toPostgres.proxy;
  redis = toRedis.proxy;
  return { DATABASE_URL: toPostgres.url, REDIS_URL: toRedis.url };
};
const api = await startTestApi({}, throughProxies, { nodePackages: chooserPackage });
const [project] = (await api.call('GET', '/projects')).body.data;
const things = await someThings(api, project.id, (await api.projects.createTeam({ name: 'other' })).id);
const { workflowId, executionId } = things;
await api.call('POST', `/executions/${executionId}/stop`);
afterAll(async () => {
  await api.close();
  await Promise.all([postgres.close(), redis.close()]);
});
afterEach(async () => {
  postgres.set('up');
  redis.set('up');
  await eventually(async () => (await fetch(`${api.url}/readyz`)).status === 200);
});

/** Routes that need only a valid key, which is cached for up to a second. */
const ofTheKeyAlone = [
  'GET /credential-types',
  'GET /credential-types/:type',
  'GET /node-types',
  'GET /node-types/:type',
  'GET /node-packages',
  'GET /credentials/schema/:type',
  'GET /api-keys/scopes',
];
const endpoints = routes
  .map(({ method, path }) => `${method.toUpperCase()} ${path}`)
  .filter((endpoint) => !ofTheKeyAlone.includes(endpoint));

function callEach() {
  return Promise.all(
    endpoints.map(async (endpoint) => {
      const [method = ''] = endpoint.split(' ');
      const began = performance.now();
      const response = await api.call(method, pathOf(endpoint, things), { body: bodyOf(endpoint, things) });
      const inTime = performance.now() - began < respondsWithinMs;
      return {
        endpoint,
        status: response.status,
        code: response.body.code,
        retryAfter: response.headers.get('retry-after'),
        inTime,
      };
    }),
  );
}

describe.each(['refusing', 'silent'] as const)('while Postgres is %s', (state) => {
  test('every endpoint returns 503 within 3 s, and recovers without a restart', async () => {
    postgres.set(state);
    const unavailable = { status: 503, code: 'SERVICE_UNAVAILABLE', retryAfter: '2', inTime: true };
    for (const _round of [1, 2]) {
      expect(await callEach()).toEqual(endpoints.map((endpoint) => ({ endpoint, ...unavailable })));
    }
    for (const endpoint of ofTheKeyAlone) {
      await eventually(async () => (await api.call('GET', pathOf(endpoint, things))).status === 503);
    }
    expect((await fetch(`${api.url}/healthz`)).status).toBe(200);
    postgres.set('up');
    await eventually(async () => (await api.call('GET', '/workflows')).status === 200);
  });
});

describe.each(['refusing', 'silent'] as const)('while Redis is %s', (state) => {
  test('starting a run returns 503 and writes nothing; reads and stops work', async () => {
    const before = await count();
    redis.set(state);
    await eventually(async () => (await fetch(`${api.url}/readyz`)).status === 503);
    for (const path of [`/workflows/${workflowId}/run`, `/executions/${executionId}/retry`]) {
      const began = performance.now();
      const { status, headers } = await api.call('POST', path);
      expect([path, status, headers.get('retry-after')]).toEqual([path, 503, '2']);
      expect(performance.now() - began).toBeLessThan(respondsWithinMs);
    }
    expect(await count()).toBe(before);
    expect((await api.call('GET', `/executions/${executionId}`)).status).toBe(200);
    const stopMany = await api.call('POST', '/executions/stopMany', { body: { filter: { status: ['queued'] } } });
    expect(stopMany.status).toBe(200);
    redis.set('up');
    await eventually(async () => (await api.call('POST', `/workflows/${workflowId}/run`)).status === 200);
  });

  test('a run that is accepted at the start of the outage is not lost', async () => {
    redis.set(state);
    const began = performance.now();
    const { status, body } = await api.call('POST', `/workflows/${workflowId}/run`);
    expect(performance.now() - began).toBeLessThan(respondsWithinMs);
    if (status === 200) expect((await api.call('GET', `/executions/${body.executionId}`)).body.status).toBe('new');
    else expect(status).toBe(503);
  });
});

async function count(): Promise<number> {
  return (await api.db.kysely.selectFrom('executions').select('id').execute()).length;
}
