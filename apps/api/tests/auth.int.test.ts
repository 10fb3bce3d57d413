import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { generateApiKey } from '@sluice/db';
import { scopes } from '@sluice/domain';
import { endpointScopes } from '../src/endpoint-scopes.ts';
import { ownerKey, startTestApi, type TestApi } from './support/test-api.ts';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi({ API_KEY_HEADER: 'X-SERVICE-API-KEY' });
});
afterAll(() => api.close());

describe('keys', () => {
  test.each([
    ['no key', null],
    ['an empty one', ''],
    ['a malformed one', 'short'],
    ['one too long', 'x'.repeat(600)],
    ['an unknown one', generateApiKey()],
  ])('%s is 401', async (_, key) => {
    const { status, body } = await api.call('GET', '/workflows', { key });
    expect(status).toBe(401);
    expect(body).toMatchObject({ code: 'UNAUTHORIZED', message: 'missing or invalid API key' });
  });

  test('a key under another header is 401', async () => {
    const { status } = await api.call('GET', '/workflows', { key: null, headers: { authorization: `Bearer ${ownerKey}` } });
    expect(status).toBe(401);
  });

  test('an expired key is 401, a revoked one 403', async () => {
    const { user, key } = await api.newUser('member');
    const expired = await api.newKey(user.id, { expiresAt: new Date(Date.now() - 1000) });
    expect((await api.call('GET', '/workflows', { key: expired })).status).toBe(401);
    const found = await api.keys.findByRawKey(key);
    await api.keys.revoke(found?.id ?? '');
    const revoked = await api.call('GET', '/workflows', { key });
    expect(revoked).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
  });

  test('each endpoint needs its scope, and names it when it is missing', async () => {
    const { user } = await api.newUser('admin');
    for (const [endpoint, scope] of Object.entries(endpointScopes)) {
      const [method = '', path = ''] = endpoint.split(' ');
      const key = await api.newKey(user.id, { scopes: scopes.filter((each) => each !== scope) });
      const { status, body } = await api.call(method, path.replace(':id', '1'), {
        key,
        rawBody: method === 'GET' ? undefined : '{nonsense',
      });
      expect([endpoint, status, body.details]).toEqual([endpoint, 403, [{ path: 'scope', message: scope }]]);
    }
  });

  test('nobody’s body is read before the key is good', async () => {
    const { status } = await api.call('POST', '/workflows', { key: null, rawBody: '{nonsense' });
    expect(status).toBe(401);
  });
});

describe('what needs no key', () => {
  test('health and docs answer anybody', async () => {
    expect(await (await fetch(`${api.url}/healthz`)).json()).toEqual({ status: 'ok' });
    expect((await fetch(`${api.url}/readyz`)).status).toBe(200);
    for (const path of ['/docs', '/api/v1/docs']) {
      const page = await (await fetch(api.url + path)).text();
      for (const endpoint of Object.keys(endpointScopes)) expect(page).toContain(`<code>${endpoint}</code>`);
    }
  });

  test('answers carry security headers and say nothing of what made them', async () => {
    const { headers } = await fetch(`${api.url}/healthz`);
    expect(headers.get('content-security-policy')).toBe("default-src 'none';frame-ancestors 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-powered-by')).toBeNull();
  });
});
