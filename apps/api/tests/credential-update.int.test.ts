import { afterAll, describe, expect, test } from '@jest/globals';
import { basicAuth, createCredential, redacted, startCredentialBench, statuses } from './support/credentials.ts';

const bench = await startCredentialBench();
const { api } = bench;
afterAll(() => bench.close());

const create = (changes?: object, key?: string) => createCredential(api, changes, key);

describe('update', () => {
  test('returns a summary, and keeps secrets whose placeholder is sent back', async () => {
    const { id, updatedAt } = await create({ data: { ...basicAuth.data, testUrl: bench.target.url } });
    const { data } = (await api.call('GET', `/credentials/${id}?includeData=true`)).body;
    const { status, body } = await api.call('PATCH', `/credentials/${id}`, { body: { name: 'New', data } });
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(['id', 'name', 'scopes', 'type', 'updatedAt']);
    expect(body).toMatchObject({ id, name: 'New', type: 'httpBasicAuth' });
    expect(body.updatedAt > updatedAt).toBe(true);
    const tested = await api.call('POST', '/credentials/test', { body: { credentials: { id, type: 'httpBasicAuth' } } });
    expect(tested.body).toMatchObject({ status: 'success' });
  });

  test('with the exact body of GET changes only updatedAt', async () => {
    const { id } = await create({ isGlobal: true });
    const before = (await api.call('GET', `/credentials/${id}?includeData=true&includeScopes=true`)).body;
    expect((await api.call('PATCH', `/credentials/${id}`, { body: before })).status).toBe(200);
    const after = (await api.call('GET', `/credentials/${id}?includeData=true&includeScopes=true`)).body;
    expect(after).toEqual({ ...before, updatedAt: after.updatedAt });
  });

  test('replaces data entirely: an omitted field is removed, or an error if it is required', async () => {
    const { id } = await create({ data: { ...basicAuth.data, testUrl: bench.target.url } });
    const patch = (data: unknown) => api.call('PATCH', `/credentials/${id}`, { body: { data } });
    const partial = await patch({ password: redacted });
    expect([partial.status, partial.body.details[0].path]).toEqual([400, '/data/user']);
    expect((await patch({ user: 'bob', password: redacted })).status).toBe(200);
    const credential = (await api.call('GET', `/credentials/${id}?includeData=true`)).body;
    expect(credential.data).toEqual({ user: 'bob', password: redacted });
    const nothing = await patch({ user: 'bob', password: redacted, token: redacted });
    expect([nothing.status, nothing.body.details[0].path]).toEqual([400, '/data/token']);
  });

  test('does not keep a stored secret for a new destination: it must be sent again', async () => {
    const { id } = await create({ data: { ...basicAuth.data, testUrl: bench.target.url } });
    const patch = (data: object) => api.call('PATCH', `/credentials/${id}`, { body: { data } });
    const restricted = {
      user: 'ann',
      password: redacted,
      testUrl: bench.target.url,
      allowedHttpRequestDomains: 'domains',
      allowedDomains: '127.0.0.1, *.crm.example',
    };
    expect((await patch(restricted)).status).toBe(200);
    for (const change of [
      { testUrl: 'https://thief.example' },
      { allowedHttpRequestDomains: 'all' },
      { allowedDomains: '127.0.0.1, thief.example' },
    ]) {
      const { status, body } = await patch({ ...restricted, ...change });
      expect([status, body.details?.map(({ path }: { path: string }) => path)]).toEqual([400, ['/data/password']]);
      expect((await patch({ ...restricted, ...change, password: 'sent again' })).status).toBe(200);
      expect((await patch({ ...restricted, password: 'sent again' })).status).toBe(200);
    }
    expect((await patch({ ...restricted, user: 'bob', allowedDomains: '127.0.0.1' })).status).toBe(200);
  });

  test('rejects invalid hosts and oversized values', async () => {
    const patch = (id: string, data: object) => api.call('PATCH', `/credentials/${id}`, { body: { data } });
    const { id } = await create();
    const hosts = { ...basicAuth.data, allowedHttpRequestDomains: 'domains', allowedDomains: 'https://x.example/' };
    const many = Object.fromEntries(Array.from({ length: 17 }, (_, i) => [`f${i}`, 'x'.repeat(65_536)]));
    for (const [data, path] of [
      [hosts, '/data/allowedDomains'],
      [{ ...basicAuth.data, password: 'x'.repeat(65_537) }, '/data/password'],
      [{ ...basicAuth.data, ...many }, '/data'],
    ] as const) {
      const { status, body } = await patch(id, data);
      expect([status, body.details?.[0]?.path]).toEqual([400, path]);
      const created = await api.call('POST', '/credentials', { body: { ...basicAuth, data } });
      expect([created.status, created.body.details?.[0]?.path]).toEqual([400, path]);
    }
  });

  test('of isGlobal is allowed only for owners and admins, unless the value does not change', async () => {
    const { key } = await api.newUser('member');
    const { id } = await create({}, key);
    const patch = (isGlobal: unknown, as?: string) => api.call('PATCH', `/credentials/${id}`, { key: as, body: { isGlobal } });
    expect(statuses([await patch(true, key), await patch(false, key), await patch('true', key)])).toEqual([403, 200, 400]);
    expect((await patch(true)).status).toBe(200);
    expect(statuses([await patch(true, key), await patch(false, key)])).toEqual([200, 403]);
  });

  test('of a managed credential is 400 with the message of the contract', async () => {
    const { id } = await create();
    await api.db.kysely.updateTable('credentials').set({ is_managed: true }).where('id', '=', id).execute();
    const { status, body } = await api.call('PATCH', `/credentials/${id}`, { body: { name: 'x' } });
    expect([status, body.message]).toEqual([400, 'managed credentials cannot be updated']);
    expect((await api.call('GET', `/credentials/${id}`)).body).toMatchObject({ isManaged: true, name: 'CRM' });
  });

  test.each([{ name: 1 }, { name: '' }, { name: null }, { data: 'x' }, { data: null }, { isGlobal: 1 }, [], 'x'])(
    'with %j is 400',
    async (body) => {
      const { id } = await create();
      expect((await api.call('PATCH', `/credentials/${id}`, { body })).status).toBe(400);
    },
  );

  test('by concurrent requests stores one of them completely', async () => {
    const { id } = await create();
    const users = Array.from({ length: 8 }, (_, i) => `user${i}`);
    const responses = await Promise.all(
      users.map((user) => api.call('PATCH', `/credentials/${id}`, { body: { data: { user, password: redacted } } })),
    );
    expect(statuses(responses)).toEqual(users.map(() => 200));
    expect(users).toContain((await api.call('GET', `/credentials/${id}?includeData=true`)).body.data.user);
  });
});
