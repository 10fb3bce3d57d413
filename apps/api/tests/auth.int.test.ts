import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterAll, describe, expect, test } from '@jest/globals';
import { generateApiKey } from '@sluice/db';
import { type Scope, scopes, within } from '@sluice/domain';
import { eventually } from '@sluice/test-support';
import { sql } from 'kysely';
import { endpointOf } from '../src/http/route/define-route.ts';
import { isPublic } from '../src/http/route/mount-routes.ts';
import { routes } from '../src/routes.ts';
import { ownerKey, startTestApi } from './support/test-api.ts';

const api = await startTestApi({ API_KEY_HEADER: 'X-SERVICE-API-KEY' });
afterAll(() => api.close());

/** Every endpoint that requires a key, with `1` for each path parameter. */
const endpoints = routes
  .filter((route) => !isPublic(route))
  .map((route) => ({
    endpoint: endpointOf(route),
    method: route.method.toUpperCase(),
    path: route.path.replaceAll(/:\w+/g, '1'),
    scope: route.scope,
  }));

/**
 * Status and code of each endpoint for a malformed body, which must not be read before the key is
 * verified.
 */
async function answersOfAll(key: string | null): Promise<[string, number, string][]> {
  const responses = endpoints.map(async ({ endpoint, method, path }): Promise<[string, number, string]> => {
    const { status, body } = await api.call(method, path, { key, rawBody: method === 'GET' ? undefined : '{nonsense' });
    return [endpoint, status, body.code];
  });
  return Promise.all(responses);
}

const sameOfAll = (status: number, code: string) => endpoints.map(({ endpoint }) => [endpoint, status, code]);

async function refusedKeys() {
  const { user, key } = await api.newUser('member');
  const [apiKey] = await api.keys.listOf(user.id);
  await api.keys.revoke(apiKey?.id ?? '', user.id, () => undefined);
  return { revoked: key, expired: await api.newKey(user.id, { expiresAt: new Date(Date.now() - 1000) }) };
}

describe('every endpoint', () => {
  test.each([
    ['no key', null],
    ['an empty key', ''],
    ['a malformed key', 'short'],
    ['a key that is too long', 'x'.repeat(600)],
    ['an unknown key', generateApiKey()],
  ])('rejects %s with 401, whatever the body', async (_, key) => {
    expect(await answersOfAll(key)).toEqual(sameOfAll(401, 'UNAUTHORIZED'));
  });

  test('rejects an expired key with 401 and a revoked key with 403', async () => {
    const { expired, revoked } = await refusedKeys();
    expect(await answersOfAll(expired)).toEqual(sameOfAll(401, 'UNAUTHORIZED'));
    expect(await answersOfAll(revoked)).toEqual(sameOfAll(403, 'FORBIDDEN'));
  });

  const scoped = endpoints.filter(({ scope }) => scope !== 'none');
  test.each(scoped)(
    '$endpoint rejects a key without its scope and names the scope',
    async ({ scope: needed, method, path }) => {
      const { user } = await api.newUser('admin');
      for (const missing of needed === 'every scope' ? scopes : [needed as Scope]) {
        const key = await api.newKey(user.id, { scopes: scopes.filter((each) => each !== missing) });
        const { status, body } = await api.call(method, path, { key, rawBody: method === 'GET' ? undefined : '{nonsense' });
        expect([status, body.code, body.details]).toEqual([403, 'FORBIDDEN', [{ path: 'scope', message: missing }]]);
      }
    },
  );

  test('returns the same error for all unknown keys', async () => {
    for (const key of [null, 'short', generateApiKey(), (await refusedKeys()).expired]) {
      const { body } = await api.call('GET', '/workflows', { key });
      expect(body.message).toBe('missing or invalid API key: send it in the header X-SERVICE-API-KEY');
    }
  });

  test('a key in another header is 401', async () => {
    const { status } = await api.call('GET', '/workflows', { key: null, headers: { authorization: `Bearer ${ownerKey}` } });
    expect(status).toBe(401);
  });

  test('a 401 names the scheme and the header of the key, and a 403 does not', async () => {
    const { expired, revoked } = await refusedKeys();
    for (const [key, scheme] of [
      [null, 'ApiKey header="X-SERVICE-API-KEY"'],
      [expired, 'ApiKey header="X-SERVICE-API-KEY"'],
      [revoked, null],
    ] as const) {
      const { headers } = await api.call('GET', '/workflows', { key });
      expect(headers.get('www-authenticate')).toBe(scheme);
    }
  });
});

describe('a change of rights', () => {
  test('soon takes effect in every process, even without a notification', async () => {
    const { user, key } = await api.newUser('member');
    const team = await api.projects.createTeam({ name: 'team' });
    const statusOf = async (path: string) => (await api.call('GET', path, { key })).status;
    expect(await statusOf(`/projects/${team.id}`)).toBe(403);

    await api.projects.setMember(team.id, user.id, 'project:viewer');
    await eventually(async () => (await statusOf(`/projects/${team.id}`)) === 200);

    expect(await statusOf('/users')).toBe(403);
    await api.users.update(user.id, () => ({ role: 'admin' }));
    await eventually(async () => (await statusOf('/users')) === 200);

    const [apiKey] = await api.keys.listOf(user.id);
    await api.keys.update(apiKey?.id ?? '', user.id, () => ({ scopes: [] }));
    await eventually(async () => (await statusOf('/workflows')) === 403);

    await api.keys.revoke(apiKey?.id ?? '', user.id, () => undefined);
    await eventually(async () => (await statusOf('/api-keys')) === 403);
  });

  test.each([
    ['/api/v1/workflows', (key: string) => ({ 'x-service-api-key': key })],
    ['/mcp', (key: string) => ({ authorization: `Bearer ${key}` })],
  ])('before the body of a request to %s is complete refuses the request', async (path, headersOf) => {
    const { user, key } = await api.newUser('member');
    const [apiKey] = await api.keys.listOf(user.id);
    const headers = { ...headersOf(key), 'content-type': 'application/json' };
    const slow = request(api.url + path, { method: 'POST', headers });
    const response = once(slow, 'response') as Promise<[IncomingMessage]>;
    slow.write('{"name":');
    await eventually(async () => (await api.keys.listOf(user.id))[0]?.lastUsedAt != null); // the key was accepted
    await api.keys.revoke(apiKey?.id ?? '', user.id, () => undefined);
    await eventually(async () => (await api.call('GET', '/api-keys', { key })).status === 403);
    slow.end('"late","nodes":[],"connections":{}}');
    const [{ statusCode }] = await response;
    expect(statusCode).toBe(403);
    const late = await api.db.kysely.selectFrom('workflows').select('id').where('name', '=', 'late').execute();
    expect(late).toEqual([]);
  });

  test('a cached key needs no round trip to the database', async () => {
    const { key } = await api.newUser('member');
    const isAnswered = async () => (await api.call('GET', '/api-keys/scopes', { key })).status === 200;
    // The process may still be notified of the new user, and then looks the key up once more.
    await eventually(async () => {
      await isAnswered();
      return api.db.kysely.transaction().execute(async (tx) => {
        // A request that looks up its key would wait for this lock.
        await sql`LOCK TABLE api_keys IN ACCESS EXCLUSIVE MODE`.execute(tx);
        const responses = Promise.all(Array.from({ length: 10 }, isAnswered));
        return (
          (await within(
            10_000,
            responses.then((all) => all.every(Boolean)),
          )) ?? false
        );
      });
    });
  });
});

describe('public endpoints', () => {
  test('include health and docs', async () => {
    expect(await (await fetch(`${api.url}/healthz`)).json()).toEqual({ status: 'ok' });
    expect((await fetch(`${api.url}/readyz`)).status).toBe(200);
    for (const path of ['/docs', '/api/v1/docs']) {
      const page = await (await fetch(api.url + path)).text();
      for (const { endpoint } of endpoints) expect(page).toContain(`<code>${endpoint}</code>`);
    }
  });

  test('responses carry security headers and do not name the server software', async () => {
    const { headers } = await fetch(`${api.url}/healthz`);
    expect(headers.get('content-security-policy')).toBe("default-src 'none';frame-ancestors 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-powered-by')).toBeNull();
  });
});
