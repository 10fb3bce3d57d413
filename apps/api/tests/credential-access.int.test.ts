import { afterAll, describe, expect, test } from '@jest/globals';
import { aTeam, basicAuth, createCredential, redacted, startCredentialBench } from './support/credentials.ts';

const bench = await startCredentialBench();
const { api } = bench;
afterAll(() => bench.close());

const create = (changes?: object, key?: string) => createCredential(api, changes, key);

describe('roles', () => {
  test('viewers read; editors also create, update, delete, and test; project admins also share and transfer', async () => {
    const { team, viewer, editor, admin, outsider } = await aTeam(api);
    const allowed = async (key: string) => {
      const { id } = await create({ projectId: team.id });
      const call = async (method: string, path: string, body?: unknown) => (await api.call(method, path, { key, body })).status;
      return {
        read: await call('GET', `/credentials/${id}`),
        create: await call('POST', '/credentials', { ...basicAuth, projectId: team.id }),
        update: await call('PATCH', `/credentials/${id}`, { name: 'x' }),
        test: await call('POST', '/credentials/test', { credentials: { id, type: 'httpBasicAuth' } }),
        share: await call('PUT', `/credentials/${id}/share`, { shareWithIds: [] }),
        transfer: await call('PUT', `/credentials/${id}/transfer`, { destinationProjectId: team.id }),
        delete: await call('DELETE', `/credentials/${id}`),
      };
    };
    const none = { read: 403, create: 403, update: 403, test: 403, share: 403, transfer: 403, delete: 404 };
    expect(await allowed(outsider.key)).toEqual(none);
    expect(await allowed(viewer.key)).toEqual({ ...none, read: 200, delete: 403 });
    const editing = { read: 200, create: 201, update: 200, test: 200, share: 403, transfer: 403, delete: 200 };
    expect(await allowed(editor.key)).toEqual(editing);
    expect(await allowed(admin.key)).toEqual({ ...editing, share: 204, transfer: 204 });
  });
});

describe('sharing', () => {
  test('lets other projects read and use the credential but not change it; a repeated request replaces the list', async () => {
    const { team, editor } = await aTeam(api);
    const { id } = await create();
    const share = (shareWithIds: unknown) => api.call('PUT', `/credentials/${id}/share`, { body: { shareWithIds } });
    expect(await share([team.id, team.id])).toMatchObject({ status: 204, body: null });
    const as = { key: editor.key };
    expect((await api.call('GET', `/credentials/${id}?includeData=true`, as)).body.data.password).toBe(redacted);
    expect((await api.call('GET', `/credentials/${id}?includeScopes=true`, as)).body.scopes).toEqual([
      'credential:read',
      'credential:list',
    ]);
    expect((await api.call('PATCH', `/credentials/${id}`, { ...as, body: { name: 'x' } })).status).toBe(403);
    expect((await api.call('PUT', `/credentials/${id}/share`, { ...as, body: { shareWithIds: [] } })).status).toBe(403);
    await share([]);
    expect((await api.call('GET', `/credentials/${id}`, as)).status).toBe(403);
  });

  test('is shown only to admins of the owning project', async () => {
    const [{ team, viewer, editor, admin }, other] = [await aTeam(api), await aTeam(api)];
    const { id } = await create({ projectId: team.id });
    const sharedWith = async (key?: string) => (await api.call('GET', `/credentials/${id}`, { key })).body.sharedWithIds;
    expect(await sharedWith(admin.key)).toEqual([]);
    await api.call('PUT', `/credentials/${id}/share`, { body: { shareWithIds: [other.team.id] } });
    expect([await sharedWith(admin.key), await sharedWith()]).toEqual([[other.team.id], [other.team.id]]);
    for (const { key } of [viewer, editor, other.admin]) expect(await sharedWith(key)).toBeUndefined();
  });

  test('requires existing projects of the caller; a rejected request changes nothing', async () => {
    const { team, admin, outsider } = await aTeam(api);
    const { id } = await create({ projectId: team.id });
    const foreign = await api.projects.createTeam({ name: 'foreign' });
    const share = async (shareWithIds: unknown, key = admin.key) =>
      (await api.call('PUT', `/credentials/${id}/share`, { key, body: { shareWithIds } })).status;
    expect(await share(['none'])).toBe(404);
    expect(await share([foreign.id])).toBe(403);
    await api.projects.setMember(foreign.id, outsider.user.id, 'project:viewer');
    expect(await share([foreign.id], (await api.newUser('admin')).key)).toBe(204);
    expect(await share([foreign.id])).toBe(204); // it was already shared
    expect(await share([foreign.id, 'none'])).toBe(404);
    expect((await api.call('GET', `/credentials/${id}`, { key: outsider.key })).status).toBe(200);
    for (const bad of [undefined, 'x', [1], [null], ['a\u0000']]) expect(await share(bad)).toBe(400);
  });

  test('requires the scope credential:share', async () => {
    const { user } = await api.newUser('admin');
    const key = await api.newKey(user.id, { scopes: ['credential:update'] });
    const { id } = await create();
    const { status, body } = await api.call('PUT', `/credentials/${id}/share`, { key, body: { shareWithIds: [] } });
    expect([status, body.details]).toEqual([403, [{ path: 'scope', message: 'credential:share' }]]);
  });
});

describe('transfer', () => {
  test('moves a credential and ends its shares; its data remains readable', async () => {
    const { team, viewer, editor } = await aTeam(api);
    const guest = await aTeam(api);
    const { id } = await create({ data: { ...basicAuth.data, testUrl: bench.target.url } });
    await api.call('PUT', `/credentials/${id}/share`, { body: { shareWithIds: [guest.team.id] } });
    const transfer = (destinationProjectId: unknown) =>
      api.call('PUT', `/credentials/${id}/transfer`, { body: { destinationProjectId } });
    expect((await transfer(team.id)).status).toBe(204);
    expect((await api.call('GET', `/credentials/${id}`, { key: viewer.key })).body.projectId).toBe(team.id);
    expect((await api.call('GET', `/credentials/${id}`, { key: guest.viewer.key })).status).toBe(403);
    const tested = await api.call('POST', '/credentials/test', {
      key: editor.key,
      body: { credentials: { id, type: 'httpBasicAuth' } },
    });
    expect(tested.body.status).toBe('success');
    expect((await transfer('none')).status).toBe(404);
    for (const bad of [undefined, 1, '', 'a\u0000', []]) expect((await transfer(bad)).status).toBe(400);
  });

  test('requires write access to the destination', async () => {
    const { team, viewer } = await aTeam(api);
    const { id } = await create({}, viewer.key);
    const path = `/credentials/${id}/transfer`;
    const response = await api.call('PUT', path, { key: viewer.key, body: { destinationProjectId: team.id } });
    expect(response.status).toBe(403);
  });
});
