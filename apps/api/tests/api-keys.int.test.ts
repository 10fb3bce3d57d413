import { afterAll, describe, expect, test } from '@jest/globals';
import { type Scope, scopes } from '@sluice/domain';
import { eventually } from '@sluice/test-support';
import { startTestApi } from './support/test-api.ts';

const api = await startTestApi();
afterAll(() => api.close());

const inAnHour = () => Math.floor(Date.now() / 1000) + 3600;

async function create(key: string, changes: object = {}) {
  return api.call('POST', '/api-keys', { key, body: { label: 'mine', scopes: ['workflow:read'], ...changes } });
}

/** A user whose key has only these scopes. */
async function aKeyWith(granted: readonly Scope[]) {
  const { user, key: full } = await api.newUser('member');
  return { user, full, narrow: await api.newKey(user.id, { scopes: granted }) };
}

const missing = (...names: Scope[]) => names.map((name) => ({ path: 'scope', message: name }));

describe('POST /api-keys', () => {
  test('responds 201 with the whole key, only this once, and forbids caching', async () => {
    const { key } = await api.newUser('member');
    const expiresAt = inAnHour();
    const { status, headers, body } = await create(key, { expiresAt, scopes: ['workflow:read', 'workflow:read'] });
    expect([status, headers.get('cache-control')]).toEqual([201, 'no-store']);
    expect(body).toMatchObject({ label: 'mine', scopes: ['workflow:read'], expiresAt, lastUsedAt: null });
    expect(body.rawApiKey).toMatch(/^sluice_[0-9A-Za-z]{46}$/);
    const [head, tail] = body.apiKey.split('********');
    expect(body.rawApiKey.startsWith(head) && body.rawApiKey.endsWith(tail)).toBe(true);
    expect((head + tail).length).toBeLessThan(16);
    expect((await api.call('GET', '/workflows/none', { key: body.rawApiKey })).status).toBe(404);

    const listed = (await api.call('GET', '/api-keys', { key })).body;
    const { rawApiKey, ...storedKey } = body;
    expect(listed[0]).toEqual(storedKey);
    expect(JSON.stringify(listed)).not.toContain(rawApiKey);
  });

  test('without expiry, or with null, a key never expires', async () => {
    const { key } = await api.newUser('member');
    expect((await create(key)).body.expiresAt).toBeNull();
    expect((await create(key, { expiresAt: null })).body.expiresAt).toBeNull();
    const fraction = Date.now() / 1000 + 60.5;
    expect((await create(key, { expiresAt: fraction })).body.expiresAt).toBe(fraction);
  });

  test('a key works until it expires, and is rejected with 401 afterwards', async () => {
    const { key } = await api.newUser('member');
    const { body } = await create(key, { expiresAt: Date.now() / 1000 + 5 });
    const status = async () => (await api.call('GET', '/api-keys', { key: body.rawApiKey })).status;
    expect(await status()).toBe(200);
    await eventually(async () => (await status()) === 401);
  });

  test.each([
    ['a missing label', { label: undefined }, '/label'],
    ['a blank label', { label: ' ' }, '/label'],
    ['a label that is not a string', { label: 7 }, '/label'],
    ['missing scopes', { scopes: undefined }, '/scopes'],
    ['scopes that are not a list', { scopes: 'workflow:read' }, '/scopes'],
    ['an unknown scope', { scopes: ['workflow:read', 'workflow:everything'] }, '/scopes/1'],
    ['an expiry in the past', { expiresAt: 1_000_000_000 }, '/expiresAt'],
    ['an expiry of now', { expiresAt: Math.floor(Date.now() / 1000) }, '/expiresAt'],
    ['a negative expiry', { expiresAt: -1 }, '/expiresAt'],
    ['an expiry in milliseconds', { expiresAt: Date.now() + 60_000 }, '/expiresAt'],
    ['an expiry that is a string', { expiresAt: '2099-01-01' }, '/expiresAt'],
  ])('%s is rejected with 400', async (_, changes, path) => {
    const { key } = await api.newUser('member');
    const { status, body } = await create(key, changes);
    expect([status, body.code, body.details[0].path]).toEqual([400, 'VALIDATION_ERROR', path]);
    expect((await api.call('GET', '/api-keys', { key })).body).toHaveLength(1);
  });

  test('a key cannot grant a scope that it lacks', async () => {
    const { narrow } = await aKeyWith(['workflow:read', 'workflow:list']);
    expect((await create(narrow, { scopes: ['workflow:list'] })).status).toBe(201);
    const { status, body } = await create(narrow, { scopes: ['workflow:read', 'execution:stop', 'workflow:delete'] });
    expect([status, body.code]).toEqual([403, 'FORBIDDEN']);
    expect(body.details).toEqual(missing('execution:stop', 'workflow:delete'));
  });
});

describe('a key that was created with another key', () => {
  const statusOf = async (key: string) => (await api.call('GET', '/api-keys', { key })).status;

  test('expires with it, even if it requests no expiry', async () => {
    const { user } = await api.newUser('member');
    const expiresAt = inAnHour();
    const parent = await api.newKey(user.id, { expiresAt: new Date(expiresAt * 1000) });
    for (const expiry of [{}, { expiresAt: null }, { expiresAt }])
      expect((await create(parent, expiry)).body.expiresAt).toBe(expiresAt);
    expect((await create(parent, { expiresAt: expiresAt - 60 })).body.expiresAt).toBe(expiresAt - 60);
    const grandchild = await create((await create(parent, { expiresAt: expiresAt - 60 })).body.rawApiKey);
    expect(grandchild.body.expiresAt).toBe(expiresAt - 60);
  });

  test('cannot add a scope to a key that expires later', async () => {
    const { user } = await api.newUser('member');
    const short = await api.newKey(user.id, { expiresAt: new Date(inAnHour() * 1000) });
    const permanent = await api.newKey(user.id, { scopes: ['workflow:read'] });
    const { body: keys } = await api.call('GET', '/api-keys', { key: permanent });
    const { id } = keys.find(({ scopes }: { scopes: string[] }) => scopes.length === 1);
    const change = (scopes: string[]) => api.call('PATCH', `/api-keys/${id}`, { key: short, body: { scopes } });
    expect((await change(['workflow:read', 'workflow:delete'])).status).toBe(403);
    expect((await change(['workflow:read'])).status).toBe(200);
  });

  test('cannot get a later expiry: 400 names the latest one', async () => {
    const { user } = await api.newUser('member');
    const expiresAt = inAnHour();
    const parent = await api.newKey(user.id, { expiresAt: new Date(expiresAt * 1000) });
    const { status, body } = await create(parent, { expiresAt: expiresAt + 1 });
    const message = `must not be later than the expiry of the key that creates it, ${expiresAt}`;
    expect([status, body.details]).toEqual([400, [{ path: '/expiresAt', message }]]);
    const { body: child } = await create(parent);
    const patched = await api.call('PATCH', `/api-keys/${child.id}`, {
      key: parent,
      body: { label: 'x', expiresAt: expiresAt + 1 },
    });
    expect(patched.status).toBe(200);
    const listed = (await api.call('GET', '/api-keys', { key: parent })).body;
    expect(listed.find(({ id }: { id: string }) => id === child.id).expiresAt).toBe(expiresAt);
  });

  test('is revoked with it, and so are the keys created with it', async () => {
    const { key } = await api.newUser('member');
    const { body: parent } = await create(key);
    const { body: child } = await create(parent.rawApiKey);
    const { body: grandchild } = await create(child.rawApiKey);
    const { body: sibling } = await create(key);
    expect((await api.call('DELETE', `/api-keys/${parent.id}`, { key })).status).toBe(200);
    expect(await Promise.all([child, grandchild, sibling].map((it) => statusOf(it.rawApiKey)))).toEqual([403, 403, 200]);
    expect((await api.call('GET', '/api-keys', { key })).body.map(({ id }: { id: string }) => id)).not.toContain(grandchild.id);
  });

  test('can belong to another user: the first key of a new user is revoked with the key that created the user', async () => {
    const { user: admin, key } = await api.newUser('admin');
    const expiresAt = inAnHour();
    const brief = await api.newKey(admin.id, { expiresAt: new Date(expiresAt * 1000) });
    const created = await api.call('POST', '/users', {
      key: brief,
      body: { email: 'brief@example.com', role: 'admin', createApiKey: true },
    });
    const first = created.body.rawApiKey;
    const [listedKey] = (await api.call('GET', '/api-keys', { key: first })).body;
    expect(listedKey.expiresAt).toBe(expiresAt);
    const parent = (await api.call('GET', '/api-keys', { key })).body.find(
      (it: { expiresAt: unknown }) => it.expiresAt === expiresAt,
    );
    expect((await api.call('DELETE', `/api-keys/${parent.id}`, { key })).status).toBe(200);
    await eventually(async () => (await statusOf(first)) === 403);
  });
});

describe('the scopes of a key that was created with another key', () => {
  const scopesOf = async (key: string, id: string): Promise<string[]> => {
    const { body } = await api.call('GET', '/api-keys', { key });
    return body.find((it: { id: string }) => it.id === id)?.scopes;
  };
  const patch = (key: string, id: string, granted: readonly Scope[]) =>
    api.call('PATCH', `/api-keys/${id}`, { key, body: { scopes: granted } });

  test('shrink immediately with the scopes of any ancestor key, and are not restored', async () => {
    const { key } = await api.newUser('member');
    const { body: parent } = await create(key, { scopes: ['workflow:read', 'workflow:list'] });
    const { body: child } = await create(parent.rawApiKey, { scopes: ['workflow:list', 'workflow:read'] });
    const { body: grandchild } = await create(child.rawApiKey, { scopes: ['workflow:list'] });
    const listing = (created: { rawApiKey: string }) => api.call('GET', '/workflows', { key: created.rawApiKey });
    expect((await listing(grandchild)).status).toBe(200);
    expect((await patch(key, parent.id, ['workflow:read'])).status).toBe(200);
    expect(await Promise.all([parent, child, grandchild].map(({ id }) => scopesOf(key, id)))).toEqual([
      ['workflow:read'],
      ['workflow:read'],
      [],
    ]);
    expect((await listing(grandchild)).status).toBe(403);
    expect((await patch(key, parent.id, ['workflow:read', 'workflow:list'])).status).toBe(200);
    expect(await scopesOf(key, grandchild.id)).toEqual([]);
  });

  test('cannot exceed the scopes of its parent, whichever key changes them', async () => {
    const { key } = await api.newUser('member');
    const { body: parent } = await create(key, { scopes: ['workflow:read', 'workflow:list'] });
    const { body: child } = await create(parent.rawApiKey, { scopes: ['workflow:read'] });
    const refused = await patch(key, child.id, ['workflow:read', 'workflow:delete']);
    expect([refused.status, refused.body.details]).toEqual([403, missing('workflow:delete')]);
    expect((await patch(key, child.id, ['workflow:list'])).status).toBe(200);
  });

  test('also shrink if the key belongs to another user', async () => {
    const { key } = await api.newUser('admin');
    const { body: parent } = await create(key, { scopes });
    const body = { email: 'narrowed@example.com', role: 'member', createApiKey: true };
    const created = await api.call('POST', '/users', { key: parent.rawApiKey, body });
    expect((await patch(key, parent.id, ['workflow:read'])).status).toBe(200);
    await eventually(async () => (await api.call('GET', '/workflows', { key: created.body.rawApiKey })).status === 403);
  });
});

describe('PATCH and DELETE /api-keys/:id', () => {
  test('change and revoke a key immediately; a revoked key stays 403 and disappears for its user', async () => {
    const { key } = await api.newUser('member');
    const { body: created } = await create(key);
    const change = { label: 'renamed', scopes: ['workflow:list'] };
    expect((await api.call('PATCH', `/api-keys/${created.id}`, { key, body: change })).body).toEqual({ success: true });
    expect((await api.call('GET', '/workflows', { key: created.rawApiKey })).status).toBe(200);
    expect((await api.call('GET', '/workflows/none', { key: created.rawApiKey })).status).toBe(403);
    expect((await api.call('GET', '/api-keys', { key })).body[0]).toMatchObject({ id: created.id, ...change });

    expect((await api.call('DELETE', `/api-keys/${created.id}`, { key })).body).toEqual({ success: true });
    expect(await api.call('GET', '/workflows', { key: created.rawApiKey })).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN', message: 'the API key has been revoked' },
    });
    expect((await api.call('GET', '/api-keys', { key })).body).toHaveLength(1);
    for (const method of ['PATCH', 'DELETE']) {
      expect((await api.call(method, `/api-keys/${created.id}`, { key, body: {} })).status).toBe(404);
    }
  });

  test('PATCH with the body of GET returns 200 and changes nothing', async () => {
    const { key } = await api.newUser('member');
    await create(key, { expiresAt: inAnHour() });
    const [before] = (await api.call('GET', '/api-keys', { key })).body;
    expect((await api.call('PATCH', `/api-keys/${before.id}`, { key, body: before })).status).toBe(200);
    const [after] = (await api.call('GET', '/api-keys', { key })).body;
    expect({ ...after, updatedAt: '' }).toEqual({ ...before, updatedAt: '' });
  });

  test('a key may revoke itself', async () => {
    const { narrow } = await aKeyWith([]);
    const narrowKey = (await api.call('GET', '/api-keys', { key: narrow })).body.find(
      ({ scopes: keyScopes }: { scopes: [] }) => !keyScopes.length,
    );
    expect((await api.call('DELETE', `/api-keys/${narrowKey.id}`, { key: narrow })).status).toBe(200);
    expect((await api.call('GET', '/api-keys', { key: narrow })).status).toBe(403);
  });

  test('a key may change or revoke another only if it holds all of its scopes', async () => {
    const { full, narrow } = await aKeyWith(['workflow:read']);
    const { body: wider } = await create(full, { scopes: ['workflow:read', 'execution:read'] });
    const { body: equal } = await create(full);
    for (const [method, body] of [
      ['PATCH', { label: 'x' }],
      ['PATCH', { scopes: [] }],
      ['DELETE', undefined],
    ] as const) {
      const response = await api.call(method, `/api-keys/${wider.id}`, { key: narrow, body });
      expect([response.status, response.body.details]).toEqual([403, missing('execution:read')]);
    }
    const widening = await api.call('PATCH', `/api-keys/${equal.id}`, { key: narrow, body: { scopes: ['execution:list'] } });
    expect([widening.status, widening.body.details]).toEqual([403, missing('execution:list')]);
    expect((await api.call('PATCH', `/api-keys/${equal.id}`, { key: narrow, body: { label: 'x' } })).status).toBe(200);
    expect((await api.call('DELETE', `/api-keys/${equal.id}`, { key: narrow })).status).toBe(200);
    expect((await api.call('GET', '/api-keys', { key: wider.rawApiKey })).status).toBe(200);
  });

  test('the key of another user is 404, even for owners', async () => {
    const { key } = await api.newUser('member');
    const { body: created } = await create(key);
    const owner = await api.call('PATCH', `/api-keys/${created.id}`, { body: { label: 'taken' } });
    expect([owner.status, owner.body.message]).toEqual([404, `API key ${created.id} does not exist`]);
    expect((await api.call('DELETE', `/api-keys/${created.id}`)).status).toBe(404);
    const [own] = (await api.call('GET', '/api-keys', { key })).body;
    expect(own).toMatchObject({ id: created.id, label: 'mine' });
  });

  test.each([{ scopes: ['nonsense'] }, { scopes: null }, { label: '' }, { label: null }])('%j is 400', async (body) => {
    const { key } = await api.newUser('member');
    const { body: created } = await create(key);
    expect((await api.call('PATCH', `/api-keys/${created.id}`, { key, body })).status).toBe(400);
  });
});

describe('GET /api-keys', () => {
  test('shows when a key was last used, which is written asynchronously', async () => {
    const { key } = await api.newUser('member');
    const lastUsedAt = async () => (await api.call('GET', '/api-keys', { key })).body[0].lastUsedAt;
    expect(await lastUsedAt()).toBeNull();
    const first = await eventually(async () => (await lastUsedAt()) ?? false);
    expect(Math.abs(Date.parse(first) - Date.now())).toBeLessThan(600_000);
  });

  test('scopes are all scopes of the role, whatever the scopes of the key', async () => {
    const { narrow } = await aKeyWith([]);
    expect((await api.call('GET', '/api-keys/scopes', { key: narrow })).body).toEqual([...scopes]);
  });
});

describe('without an enterprise license', () => {
  test('each key has and shows every scope of its role, whatever was requested', async () => {
    const community = await startTestApi({ LICENSE: 'community' });
    try {
      const { body: created } = await community.call('POST', '/api-keys', { body: { label: 'l', scopes: ['workflow:read'] } });
      expect(created.scopes).toEqual([...scopes]);
      expect((await community.call('GET', '/executions', { key: created.rawApiKey })).status).toBe(200);
      const [listed] = (await community.call('GET', '/api-keys')).body;
      expect(listed.scopes).toEqual([...scopes]);
      const unknown = await community.call('POST', '/api-keys', { body: { label: 'l', scopes: ['nonsense'] } });
      expect(unknown.status).toBe(400);
    } finally {
      await community.close();
    }
  });
});
