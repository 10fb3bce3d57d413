import { afterAll, describe, expect, test } from '@jest/globals';
import { aTeam, basicAuth, createCredential, redacted } from './support/credentials.ts';
import { startTestApi } from './support/test-api.ts';

const api = await startTestApi();
afterAll(() => api.close());

const create = (changes?: object, key?: string) => createCredential(api, changes, key);

describe('reading', () => {
  test('returns data only on request, without secrets', async () => {
    const { id } = await create();
    expect((await api.call('GET', `/credentials/${id}`)).body).not.toHaveProperty('data');
    const { headers, body } = await api.call('GET', `/credentials/${id}?includeData=true`);
    expect(body.data).toEqual({ user: 'ann', password: redacted });
    expect(headers.get('cache-control')).toBe('no-store');
    const listed = (await api.call('GET', '/credentials?includeData=true')).body.find((each: { id: string }) => each.id === id);
    expect(listed.data).toEqual({ user: 'ann', password: redacted });
  });

  test('rejects a list whose data is larger than 32 MiB, since it has no pages', async () => {
    const { key } = await api.newUser('member');
    const fields = Array.from({ length: 15 }, (_, index) => [`f${index}`, 'x'.repeat(65_536)]);
    const data = { ...basicAuth.data, ...Object.fromEntries(fields) };
    for (let count = 0; count < 35; count += 1) await create({ name: `large ${count}`, data }, key);
    const refused = await api.call('GET', '/credentials?includeData=true', { key });
    expect(refused).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR', details: [{ path: '/includeData' }] } });
    const { body: all } = await api.call('GET', '/credentials', { key });
    expect(all).toHaveLength(35);
    expect((await api.call('GET', '/credentials?includeData=true&filter[name]=large 1', { key })).body).toHaveLength(11);
    for (const { id } of all) await api.call('DELETE', `/credentials/${id}`, { key });
  });

  test('hides the values of undeclared fields and the expiry of a session', async () => {
    const data = { ...basicAuth.data, session: 'obtained', preAuthenticatedUntil: 5 };
    const { id } = await createCredential(api, { data });
    const { body } = await api.call('GET', `/credentials/${id}?includeData=true`);
    expect(body.data).toEqual({ user: 'ann', password: redacted, session: redacted });
  });

  test('is 404 for a missing credential and 403 for an inaccessible one', async () => {
    const { id } = await create();
    const { key } = await api.newUser('member');
    expect((await api.call('GET', `/credentials/${id}`, { key })).status).toBe(403);
    for (const none of ['none', '..%2f..%2fetc', 'a%00b', "x'%20OR%201=1", '__proto__', 'x'.repeat(500)]) {
      expect((await api.call('GET', `/credentials/${none}`, { key })).status).toBe(404);
    }
  });

  test('flags only credentials that no key decrypts', async () => {
    const [{ id }, other] = [await create(), await create()];
    await api.db.kysely.updateTable('credentials').set({ key_id: 'gone' }).where('id', '=', id).execute();
    const list = await api.call('GET', '/credentials?includeData=true');
    expect(list.status).toBe(200);
    const find = (wanted: string) => list.body.find((each: { id: string }) => each.id === wanted);
    expect(find(id)).toMatchObject({ isUnreadable: true });
    expect(find(id)).not.toHaveProperty('data');
    expect(find(other.id)).not.toHaveProperty('isUnreadable');
    expect((await api.call('GET', `/credentials/${id}?includeData=true`)).body.isUnreadable).toBe(true);
    const keep = await api.call('PATCH', `/credentials/${id}`, { body: { data: { user: 'ann', password: redacted } } });
    expect([keep.status, keep.body.code]).toEqual([409, 'CREDENTIAL_UNREADABLE']);
    expect((await api.call('PATCH', `/credentials/${id}`, { body: { data: basicAuth.data } })).status).toBe(200);
    expect((await api.call('GET', `/credentials/${id}?includeData=true`)).body.data.user).toBe('ann');
  });
});

describe('the list', () => {
  test('is a bare array of visible credentials, with scopes on request', async () => {
    const { key } = await api.newUser('member');
    const created = await create({}, key);
    const { body } = await api.call('GET', '/credentials?includeScopes=true&includeGlobal=false', { key });
    expect(body.map((each: { id: string }) => each.id)).toEqual([created.id]);
    expect(body[0].scopes).toContain('credential:update');
    expect((await api.call('GET', '/credentials?includeGlobal=false', { key })).body[0]).not.toHaveProperty('scopes');
  });

  test('shows what each role may do, within the scopes of the key', async () => {
    const { team, viewer, editor, admin } = await aTeam(api);
    await create({ projectId: team.id });
    const scopesOf = async (key: string) => {
      const { body } = await api.call('GET', `/credentials?includeScopes=true&filter[projectId]=${team.id}`, { key });
      return body[0].scopes;
    };
    const [see, change] = [
      ['credential:read', 'credential:list'],
      ['credential:update', 'credential:delete'],
    ];
    expect(await scopesOf(viewer.key)).toEqual(see);
    expect(await scopesOf(editor.key)).toEqual([...see, ...change]);
    expect(await scopesOf(admin.key)).toEqual([...see, ...change, 'credential:share']);
    const narrow = await api.newKey(admin.user.id, { scopes: ['credential:list', 'credential:update'] });
    expect(await scopesOf(narrow)).toEqual(['credential:list', 'credential:update']);
  });

  test('can be filtered by name, type, and project, as JSON or as fields', async () => {
    const { key } = await api.newUser('member');
    const crm = await create({ name: 'The CRM' }, key);
    await create({ name: 'Mail', type: 'httpHeaderAuth', data: { name: 'X-Key', value: 'v' } }, key);
    const names = async (query: string) => {
      const { status, body } = await api.call('GET', `/credentials?includeGlobal=false&${query}`, { key });
      return status === 200 ? body.map((each: { name: string }) => each.name) : status;
    };
    const json = (filter: unknown) => `filter=${encodeURIComponent(JSON.stringify(filter))}`;
    expect(await names(json({ name: 'crm' }))).toEqual(['The CRM']);
    expect(await names(json({ type: 'httpHeaderAuth' }))).toEqual(['Mail']);
    expect(await names(json({ projectId: crm.projectId }))).toEqual(['Mail', 'The CRM']);
    expect(await names(json({ projectId: 'foreign' }))).toEqual([]);
    expect(await names('filter[name]=MAIL')).toEqual(['Mail']);
    expect(await names('filter%5Btype%5D=httpBasicAuth')).toEqual(['The CRM']);
    expect(await names("filter[name]=' OR '1'='1")).toEqual([]);
    expect(await names(`${json({ name: 'm' })}&filter[type]=httpHeaderAuth`)).toEqual(['Mail']);
    for (const bad of [
      'filter=x',
      'filter=[]',
      'filter=null',
      json({ name: 1 }),
      json({ projectId: crm.projectId, other: 1 }),
      'filter={}&filter={}',
      'filter[name]=a&filter[name]=b',
      `${json({ name: 'a' })}&filter[name]=b`,
    ]) {
      expect([bad, await names(bad)]).toEqual([bad, 400]);
    }
    for (const bad of ['includeData=yes', 'includeScopes=1', 'onlySharedWithMe=', 'includeGlobal=TRUE']) {
      expect([bad, await names(bad)]).toEqual([bad, 400]);
    }
  });

  test('omits global credentials on request, and own credentials with onlySharedWithMe', async () => {
    const { team, viewer, outsider } = await aTeam(api);
    const mark = team.id;
    const global = await create({ name: `${mark} global`, isGlobal: true });
    const shared = await create({ name: `${mark} shared` });
    const own = await create({ name: `${mark} own`, projectId: team.id });
    await api.call('PUT', `/credentials/${shared.id}/share`, { body: { shareWithIds: [team.id] } });
    const ids = async (query: string, key: string) => {
      const { body } = await api.call('GET', `/credentials?filter[name]=${mark}&${query}`, { key });
      return body.map((each: { id: string }) => each.id).sort();
    };
    expect(await ids('', viewer.key)).toEqual([global.id, shared.id, own.id].sort());
    expect(await ids('includeGlobal=false', viewer.key)).toEqual([shared.id, own.id].sort());
    expect(await ids('onlySharedWithMe=true', viewer.key)).toEqual([global.id, shared.id].sort());
    expect(await ids('onlySharedWithMe=true&includeGlobal=false', viewer.key)).toEqual([shared.id]);
    expect(await ids('', outsider.key)).toEqual([global.id]);
    const admin = await api.newUser('admin');
    expect(await ids('', admin.key)).toEqual([global.id, shared.id, own.id].sort());
    expect(await ids('onlySharedWithMe=true', admin.key)).toEqual([global.id]);
  });
});

describe('new and schema', () => {
  test('returns a name that no visible credential has', async () => {
    const { key } = await api.newUser('member');
    const next = async (query = '') => (await api.call('GET', `/credentials/new${query}`, { key })).body.name;
    expect(await next()).toBe('My credentials');
    await create({ name: 'My credentials' }, key);
    await create({ name: 'My credentials 3' }, key);
    expect(await next()).toBe('My credentials 2');
    await create({ name: 'My credentials 2' }, key);
    expect(await next()).toBe('My credentials 4');
    expect(await next('?name=100%25')).toBe('100%');
    for (const bad of ['?name=', '?name=%20', `?name=${'x'.repeat(129)}`, '?name=a%00', '?name=a&name=b']) {
      expect((await api.call('GET', `/credentials/new${bad}`, { key })).status).toBe(400);
    }
  });

  test('returns the JSON Schema of a type, or 404', async () => {
    const { status, body } = await api.call('GET', '/credentials/schema/httpBasicAuth');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      type: 'object',
      required: ['user'],
      properties: { password: { writeOnly: true } },
    });
    for (const none of ['nonsense', '__proto__', 'toString', '%00']) {
      expect((await api.call('GET', `/credentials/schema/${none}`)).status).toBe(404);
    }
  });
});
