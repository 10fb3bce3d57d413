import { afterAll, describe, expect, test } from '@jest/globals';
import { aChain, aNode } from '@sluice/test-support';
import { aTeam, basicAuth, createCredential, redacted, statuses } from './support/credentials.ts';
import { startTestApi } from './support/test-api.ts';

const api = await startTestApi();
afterAll(() => api.close());

const create = (changes?: object, key?: string) => createCredential(api, changes, key);

describe('creation', () => {
  test('returns 201 with the credential and the scopes of the caller, never with data', async () => {
    const created = await create();
    expect(created).toMatchObject({
      name: 'CRM',
      type: 'httpBasicAuth',
      isGlobal: false,
      isManaged: false,
      isResolvable: false,
    });
    expect(created.scopes.sort()).toEqual(['delete', 'list', 'read', 'share', 'update'].map((verb) => `credential:${verb}`));
    expect(created).not.toHaveProperty('data');
  });

  test('stores no secret in plaintext', async () => {
    const { id } = await create({ data: { user: 'ann', password: 'sentinel-4711' } });
    const row = await api.db.kysely.selectFrom('credentials').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    const bytes = Buffer.concat(Object.values(row).filter((value): value is Buffer => Buffer.isBuffer(value)));
    expect(bytes.includes('sentinel-4711')).toBe(false);
    expect(JSON.stringify({ ...row, wrapped_dek: 0, iv: 0, ciphertext: 0, tag: 0 })).not.toContain('sentinel');
  });

  test.each([
    ['a blank name', { name: ' ' }, '/name'],
    ['a name of 129 characters', { name: 'x'.repeat(129) }, '/name'],
    ['a name with U+0000', { name: 'a\u0000' }, '/name'],
    ['a missing name', { name: undefined }, '/name'],
    ['an unknown type', { type: 'nonsense' }, '/type'],
    ['a type named like a prototype', { type: 'constructor' }, '/type'],
    ['missing data', { data: undefined }, '/data'],
    ['data that is not an object', { data: [] }, '/data'],
    ['data without a required field', { data: { password: 'p' } }, '/data/user'],
    ['data with a field of the wrong type', { data: { user: 1, password: 'p' } }, '/data/user'],
    ['data with a placeholder', { data: { user: 'ann', password: redacted } }, '/data/password'],
    ['isGlobal as a string', { isGlobal: 'true' }, '/isGlobal'],
    ['isResolvable as null', { isResolvable: null }, '/isResolvable'],
    ['a projectId that is a number', { projectId: 1 }, '/projectId'],
  ])('with %s is 400 with the path and writes nothing', async (_, change, path) => {
    const count = async () => (await api.call('GET', '/credentials')).body.length;
    const before = await count();
    const { status, body } = await api.call('POST', '/credentials', { body: { ...basicAuth, ...change } });
    expect([status, body.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(body.details.map((issue: { path: string }) => issue.path)).toContain(path);
    expect(await count()).toBe(before);
  });

  test('keeps unknown fields and any JSON value unchanged', async () => {
    const data = { user: 'a\u0000\ud800', password: 'p', extra: { ['__proto__']: [1] } };
    const { id } = await create({ data });
    const credential = (await api.call('GET', `/credentials/${id}?includeData=true`)).body;
    expect(credential.data).toEqual({ user: 'a\u0000\ud800', password: redacted, extra: redacted });
  });

  test('uses the personal project or the given one: 403 without write access, 404 if it does not exist', async () => {
    const { team, viewer, editor } = await aTeam(api);
    expect((await create({}, editor.key)).projectId).not.toBe(team.id);
    expect((await create({ projectId: team.id }, editor.key)).projectId).toBe(team.id);
    const post = (projectId: string, key: string) =>
      api.call('POST', '/credentials', { key, body: { ...basicAuth, projectId } });
    expect(statuses([await post(team.id, viewer.key), await post('none', editor.key)])).toEqual([403, 404]);
  });

  test('accepts isResolvable, which is returned and which updates cannot change', async () => {
    const { id, isResolvable } = await create({ isResolvable: true });
    expect(isResolvable).toBe(true);
    expect((await api.call('PATCH', `/credentials/${id}`, { body: { isResolvable: false } })).status).toBe(200);
    expect((await api.call('GET', `/credentials/${id}`)).body.isResolvable).toBe(true);
  });

  test('of global credentials is 403 except for owners and admins', async () => {
    const { user: _, key } = await api.newUser('member');
    const global = await api.call('POST', '/credentials', { key, body: { ...basicAuth, isGlobal: true } });
    expect([global.status, global.body.code]).toEqual([403, 'FORBIDDEN']);
    const admin = await api.newUser('admin');
    expect((await create({ isGlobal: true }, admin.key)).isGlobal).toBe(true);
  });
});

describe('deletion', () => {
  test('returns true, or 404 for a missing or inaccessible credential', async () => {
    const { id } = await create();
    const { team, viewer, outsider } = await aTeam(api);
    const shared = await create();
    await api.call('PUT', `/credentials/${shared.id}/share`, { body: { shareWithIds: [team.id] } });
    const global = await create({ isGlobal: true });
    for (const foreign of [id, shared.id, global.id]) {
      for (const key of [outsider.key, viewer.key]) {
        const response = await api.call('DELETE', `/credentials/${foreign}`, { key });
        expect([response.status, response.body.message]).toEqual([404, `credential ${foreign} does not exist`]);
      }
    }
    const response = await api.call('DELETE', `/credentials/${id}`);
    expect([response.status, response.body]).toEqual([200, true]);
    expect((await api.call('DELETE', `/credentials/${id}`)).status).toBe(404);
  });

  test('with ifUnused is 409 while a workflow uses the credential, and names the workflow', async () => {
    const { team, editor } = await aTeam(api);
    const credential = await create({ projectId: team.id });
    const node = aNode({
      name: 'a',
      type: 'base.http-request',
      credentials: { httpBasicAuth: { id: credential.id, name: 'x' } },
    });
    const workflow = (name: string) => ({ ...aChain([node]), name });
    await api.call('POST', '/workflows', { body: { ...workflow('Seen "here"'), projectId: team.id } });
    await api.call('POST', '/workflows', { body: workflow('Secret plan') });
    const mention = aNode({ name: 'a', type: 'base.no-op', parameters: { text: credential.id } });
    await api.call('POST', '/workflows', { body: { ...aChain([mention]), name: 'Only mentions it' } });
    const path = `/credentials/${credential.id}?ifUnused=true`;
    const refused = await api.call('DELETE', path, { key: editor.key });
    expect([refused.status, refused.body.code]).toEqual([409, 'CREDENTIAL_IN_USE']);
    expect(refused.body.message).toBe(`credential ${credential.id} is used by "Seen \\"here\\"", 1 other`);
    expect((await api.call('DELETE', `/credentials/${credential.id}?ifUnused=maybe`)).status).toBe(400);
    expect((await api.call('DELETE', `/credentials/${credential.id}`, { key: editor.key })).body).toBe(true);
    const unused = await create();
    expect((await api.call('DELETE', `/credentials/${unused.id}?ifUnused=true`)).body).toBe(true);
  });
});
