import { afterEach, describe, expect, test } from '@jest/globals';
import { createLogger } from '@sluice/logger';
import { aSmallWorkflow, eventually } from '@sluice/test-support';
import { type RunningApi, startApi } from '../src/api.ts';
import { proxyRedis } from './support/outage-proxy.ts';
import { ownerKey, startTestApi, type TestApi } from './support/test-api.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const it of open.splice(0).reverse()) await it.close();
});

async function started(...args: Parameters<typeof startTestApi>): Promise<TestApi> {
  const api = await startTestApi(...args);
  open.push(api);
  return api;
}

/**
 * Another API process on the same database and Redis, with the same settings except for the window
 * length.
 */
async function replicaOf({ api }: TestApi, { windowMs }: { windowMs?: number } = {}): Promise<RunningApi> {
  const { config } = api.context;
  const rateLimit = { ...config.http.rateLimit, ...(windowMs !== undefined && { windowMs }) };
  const replica = await startApi(
    { ...config, http: { ...config.http, rateLimit } },
    { logger: createLogger({ name: 'test', level: 'silent' }) },
  );
  open.push({ close: () => replica.stop() });
  await eventually(async () => (await fetch(`http://127.0.0.1:${replica.port}/readyz`)).status === 200);
  return replica;
}

async function statuses(times: number, call: () => Promise<{ status: number }>): Promise<number[]> {
  const responses: number[] = [];
  for (let i = 0; i < times; i++) responses.push((await call()).status);
  return responses;
}

describe('rate limit by address', () => {
  test('one request too many is 429 with the code, Retry-After, and the RateLimit headers', async () => {
    const { call } = await started({ RATE_LIMIT_MAX: '3' });
    const first = await call('GET', '/workflows', { key: null });
    expect(first.status).toBe(401);
    expect(first.headers.get('ratelimit-policy')).toBe('"ip";q=3;w=300');
    expect(first.headers.get('ratelimit')).toBe('"ip";r=2;t=300');
    expect(await statuses(2, () => call('GET', '/no/such/path'))).toEqual([404, 404]);

    const refused = await call('GET', '/workflows');
    expect(refused.status).toBe(429);
    expect(refused.body).toMatchObject({ code: 'RATE_LIMITED', message: 'too many requests' });
    expect(refused.headers.get('ratelimit')).toMatch(/^"ip";r=0;t=\d+$/);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(290);
    expect([...refused.headers.keys()].filter((name) => name.startsWith('x-ratelimit'))).toEqual([]);
  });

  test('the limit applies to concurrent requests, each with its own count', async () => {
    const { call } = await started({ RATE_LIMIT_MAX: '12' });
    const responses = await Promise.all(Array.from({ length: 30 }, () => call('GET', '/tags')));
    const passed = responses.filter(({ status }) => status === 200);
    const remaining = passed.map(({ headers }) => Number(/"ip";r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]));
    expect(remaining.sort((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, i) => i));
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(18);
  });

  test('replicas share their counts, and the window ends', async () => {
    const api = await started({ RATE_LIMIT_MAX: '4', RATE_LIMIT_WINDOW_MS: '2000' });
    const replica = await replicaOf(api);
    const headers = { 'x-service-api-key': ownerKey };
    const atReplica = () => fetch(`http://127.0.0.1:${replica.port}/api/v1/tags`, { headers });
    expect(await statuses(2, () => api.call('GET', '/tags'))).toEqual([200, 200]);
    expect(await statuses(3, atReplica)).toEqual([200, 200, 429]);
    expect((await api.call('GET', '/tags')).status).toBe(429);
    await eventually(async () => (await atReplica()).status === 200);
  });

  test('a changed window length applies immediately, whatever windows are open', async () => {
    const api = await started({ RATE_LIMIT_MAX: '2', RATE_LIMIT_WINDOW_MS: '600000' });
    expect(await statuses(3, () => api.call('GET', '/tags'))).toEqual([200, 200, 429]);
    const replica = await replicaOf(api, { windowMs: 60_000 });
    const response = await fetch(`http://127.0.0.1:${replica.port}/api/v1/tags`, {
      headers: { 'x-service-api-key': ownerKey },
    });
    expect([response.status, response.headers.get('ratelimit')?.split(',')[0]]).toEqual([200, '"ip";r=1;t=60']);
  });

  test('does not apply to health checks', async () => {
    const { url, call } = await started({ RATE_LIMIT_MAX: '1' });
    expect(await statuses(2, () => call('GET', '/tags'))).toEqual([200, 429]);
    for (const path of ['/healthz', '/readyz']) expect((await fetch(`${url}${path}`)).status).toBe(200);
  });

  test('behind a trusted proxy the client is the forwarded address, and an IPv6 client its /64', async () => {
    const { call } = await started({ RATE_LIMIT_MAX: '2', TRUST_PROXY: '1' });
    const from = (address: string) => () => call('GET', '/tags', { headers: { 'x-forwarded-for': address } });
    expect(await statuses(3, from('203.0.113.7'))).toEqual([200, 200, 429]);
    expect(await statuses(1, from('203.0.113.8'))).toEqual([200]);
    expect(await statuses(2, from('2001:db8:1:2::1'))).toEqual([200, 200]);
    expect(await statuses(1, from('2001:db8:1:2:ffff::2'))).toEqual([429]);
    expect(await statuses(1, from('2001:db8:1:3::1'))).toEqual([200]);
  });

  test('clients stay limited if their proxy forwards the port, or text that is not an address', async () => {
    const { call } = await started({ RATE_LIMIT_MAX: '2', TRUST_PROXY: '1' });
    const from = (address: string) => call('GET', '/tags', { headers: { 'x-forwarded-for': address } });
    const statusesFrom = async (addresses: string[]) => {
      const all = [];
      for (const address of addresses) all.push((await from(address)).status);
      return all;
    };
    expect(await statusesFrom(['203.0.113.7:1001', '203.0.113.7:1002', '203.0.113.7:1003'])).toEqual([200, 200, 429]);
    expect(await statusesFrom(['[2001:db8::1]:1001', '[2001:db8::1]:1002', '2001:db8::1'])).toEqual([200, 200, 429]);
    expect(await statusesFrom(['unknown', 'x'.repeat(5_000), 'another'])).toEqual([200, 200, 429]);
  });

  test('without a proxy, a client cannot choose its address', async () => {
    const { call } = await started({ RATE_LIMIT_MAX: '1' });
    const from = (address: string) => call('GET', '/tags', { headers: { 'x-forwarded-for': address } });
    expect((await from('203.0.113.7')).status).toBe(200);
    expect((await from('203.0.113.8')).status).toBe(429);
  });

  test('while Redis is down or hangs, each process counts locally without errors or delays', async () => {
    let proxy: Awaited<ReturnType<typeof proxyRedis>>['proxy'] | undefined;
    const api = await started({ RATE_LIMIT_MAX: '3' }, async (urls) => {
      const proxied = await proxyRedis(urls.REDIS_URL);
      proxy = proxied.proxy;
      open.push(proxy);
      return { ...urls, REDIS_URL: proxied.url };
    });
    expect((await api.call('GET', '/tags')).status).toBe(200);
    proxy?.set('silent'); // Redis stays silent, so a response shows that requests do not wait for it
    expect(await statuses(4, () => api.call('GET', '/tags'))).toEqual([200, 200, 200, 429]);
    proxy?.set('refusing');
    expect((await api.call('GET', '/tags')).status).toBe(429);
  });
});

describe('rate limit by key', () => {
  test('each key has its own limit for each group of operations', async () => {
    const { call, newUser } = await started({ RATE_LIMIT_KEY_MAX: '2' });
    const { key } = await newUser('member');
    const read = () => call('GET', '/tags', { key });
    expect(await statuses(2, read)).toEqual([200, 200]);
    const refused = await read();
    expect(refused.status).toBe(429);
    expect(refused.body.code).toBe('RATE_LIMITED');
    expect(refused.headers.get('ratelimit-policy')).toBe('"ip";q=1000000;w=300, "key-read";q=2;w=300');
    expect(refused.headers.get('ratelimit')).toMatch(/^"ip";r=\d+;t=\d+, "key-read";r=0;t=\d+$/);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);

    expect(await statuses(3, () => call('POST', '/workflows', { key, body: {} }))).toEqual([400, 400, 429]);
    expect(await statuses(3, () => call('POST', '/workflows/none/run', { key, body: {} }))).toEqual([404, 404, 429]);
    expect(await statuses(3, () => call('POST', '/credentials/test', { key, body: {} }))).toEqual([400, 400, 429]);
    expect((await call('GET', '/tags')).status).toBe(200);
  });

  test('limits are multiples of RATE_LIMIT_MAX, and replicas share their counts', async () => {
    const api = await started({ RATE_LIMIT_MAX: '100', RATE_LIMIT_KEY_TABLE: 'credentialTest=0.02' });
    const replica = await replicaOf(api);
    const headers = { 'x-service-api-key': ownerKey, 'content-type': 'application/json' };
    const atReplica = () =>
      fetch(`http://127.0.0.1:${replica.port}/api/v1/credentials/test`, { method: 'POST', headers, body: '{}' });
    expect(await statuses(1, () => api.call('POST', '/credentials/test', { body: {} }))).toEqual([400]);
    expect(await statuses(2, atReplica)).toEqual([400, 429]);
  });

  test('a request without a valid key fails with 401 first', async () => {
    const { call } = await started({ RATE_LIMIT_KEY_MAX: '1' });
    const key = 'a-key-that-nobody-has-made';
    expect(await statuses(3, () => call('GET', '/tags', { key }))).toEqual([401, 401, 401]);
  });
});

describe('limit of queued executions', () => {
  async function projectWithWorkflow({ call, newUser }: TestApi) {
    const { key } = await newUser('member');
    const { body } = await call('POST', '/workflows', { key, body: aSmallWorkflow() });
    const run = (headers: Record<string, string> = {}) =>
      call('POST', `/workflows/${body.id}/run`, { key, body: {}, headers: { prefer: 'respond-async', ...headers } });
    return { key, run };
  }

  test('a start above it is 429 with Retry-After, and other projects are not affected', async () => {
    const api = await started({ QUEUED_MAX_PER_PROJECT: '2' });
    const [full, other] = [await projectWithWorkflow(api), await projectWithWorkflow(api)];
    expect(await statuses(2, full.run)).toEqual([200, 200]);
    const refused = await full.run();
    expect(refused.status).toBe(429);
    expect(refused.body.code).toBe('QUEUE_FULL');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await api.call('GET', '/executions', { key: full.key })).body.count).toBe(2);
    expect((await other.run()).status).toBe(200);

    await api.call('POST', '/executions/stopMany', { key: full.key, body: { filter: { status: ['queued'] } } });
    await eventually(async () => (await full.run()).status === 200);
  });

  test('a repeated start still returns the first execution', async () => {
    const { run } = await projectWithWorkflow(await started({ QUEUED_MAX_PER_PROJECT: '1' }));
    const first = await run({ 'idempotency-key': 'one' });
    expect(first.status).toBe(200);
    expect((await run({ 'idempotency-key': 'two' })).status).toBe(429);
    expect((await run({ 'idempotency-key': 'one' })).body.executionId).toBe(first.body.executionId);
  });

  test('replicas share their counts', async () => {
    const api = await started({ QUEUED_MAX_PER_PROJECT: '3' });
    const replica = await replicaOf(api);
    const { key, run } = await projectWithWorkflow(api);
    const { body } = await api.call('GET', '/workflows', { key });
    const headers = { 'x-service-api-key': key, 'content-type': 'application/json', prefer: 'respond-async' };
    const path = `/api/v1/workflows/${body.data[0].id}/run`;
    const atReplica = () => fetch(`http://127.0.0.1:${replica.port}${path}`, { method: 'POST', headers, body: '{}' });
    expect((await atReplica()).status).toBe(200);
    expect(await statuses(2, run)).toEqual([200, 200]);
    expect((await run()).status).toBe(429);
    await eventually(async () => (await atReplica()).status === 429);
  });
});

describe('nested bodies', () => {
  test('are rejected before they are parsed', async () => {
    const { call } = await started();
    const refused = await call('POST', '/workflows', { rawBody: '['.repeat(8_000_000) });
    expect(refused.status).toBe(400);
    expect(refused.body.message).toBe('the body is nested deeper than 100 levels');
  });

  test('are not read in a charset other than UTF-8', async () => {
    const { call } = await started();
    const headers = { 'content-type': 'application/json; charset=utf-16le' };
    const refused = await call('POST', '/workflows', { rawBody: Buffer.from('{}', 'utf16le'), headers });
    expect([refused.status, refused.body.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });
});
