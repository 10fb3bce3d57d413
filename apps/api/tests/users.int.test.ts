import { afterAll, describe, expect, test } from '@jest/globals';
import { randomId } from '@sluice/domain';
import { aSmallWorkflow } from '@sluice/test-support';
import { ownerKey, startTestApi } from './support/test-api.ts';

const api = await startTestApi();
afterAll(() => api.close());

const anEmail = () => `${randomId()}@Example.com`;
const idOf = async (key: string) => (await api.call('GET', '/projects', { key })).body.data[0].id;

describe('users', () => {
  test('are created with a personal project, and with a first key if requested', async () => {
    const email = anEmail();
    const { status, headers, body } = await api.call('POST', '/users', { body: { email, role: 'member', createApiKey: true } });
    expect([status, headers.get('cache-control')]).toEqual([201, 'no-store']);
    expect(body).toMatchObject({ email: email.toLowerCase(), role: 'member' });
    const { rawApiKey, ...user } = body;
    const projects = (await api.call('GET', '/projects', { key: rawApiKey })).body.data;
    expect(projects).toMatchObject([{ id: user.personalProjectId, type: 'personal', role: 'project:admin' }]);
    expect((await api.call('GET', `/users/${user.id}`, { key: rawApiKey })).body).toEqual(user);
    expect((await api.call('POST', '/users', { body: { email: anEmail(), role: 'member' } })).body.rawApiKey).toBeUndefined();
    expect((await api.call('POST', '/users', { body: { email, role: 'admin' } })).status).toBe(409);
  });

  test.each([{ email: 'nobody', role: 'member' }, { email: 'a@b', role: 'king' }, { role: 'member' }, { email: 'a@b' }])(
    '%j is 400',
    async (body) => expect((await api.call('POST', '/users', { body })).status).toBe(400),
  );

  test('are listed page by page, newest first', async () => {
    for (let i = 0; i < 3; i += 1) await api.newUser('member');
    const all = (await api.call('GET', '/users?limit=250')).body;
    expect(all.nextCursor).toBeNull();
    const ids: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { body } = await api.call('GET', `/users?limit=2${cursor && `&cursor=${cursor}`}`);
      ids.push(...body.data.map(({ id }: { id: string }) => id));
      cursor = body.nextCursor;
    }
    expect(ids).toEqual(all.data.map(({ id }: { id: string }) => id));
    const foreign = (await api.call('GET', '/projects?limit=1')).body.nextCursor;
    expect((await api.call('GET', `/users?cursor=${foreign}`)).status).toBe(400);
  });

  test('are visible to owners and admins; members can read only themselves', async () => {
    const { user, key } = await api.newUser('member');
    const { user: other } = await api.newUser('member');
    const requests: [string, string, object?][] = [
      ['GET', '/users'],
      ['GET', `/users/${other.id}`],
      ['POST', '/users', { email: anEmail(), role: 'member' }],
      ['PATCH', `/users/${other.id}`, { role: 'member' }],
      ['PATCH', `/users/${user.id}`, { role: 'owner' }],
      ['DELETE', `/users/${other.id}`],
    ];
    for (const [method, path, body] of requests) {
      expect([method, path, (await api.call(method, path, { key, body })).status]).toEqual([method, path, 403]);
    }
    expect((await api.call('GET', `/users/${user.id}`, { key })).status).toBe(200);
    expect((await api.call('GET', '/users/none')).status).toBe(404);
  });

  test('only owners can create, change, and delete owners, and the last owner cannot be removed', async () => {
    const { key: admin } = await api.newUser('admin');
    const owner = (await api.call('GET', '/users?limit=250')).body.data.find(({ role }: { role: string }) => role === 'owner');
    const email = anEmail();
    expect((await api.call('POST', '/users', { key: admin, body: { email, role: 'owner' } })).status).toBe(403);
    for (const body of [{ role: 'member' }, { email }]) {
      expect((await api.call('PATCH', `/users/${owner.id}`, { key: admin, body })).status).toBe(403);
    }
    expect((await api.call('DELETE', `/users/${owner.id}`, { key: admin })).status).toBe(403);
    expect((await api.call('PATCH', `/users/${owner.id}`, { body: { role: 'admin' } })).status).toBe(409);
    expect((await api.call('DELETE', `/users/${owner.id}`)).status).toBe(409);
    expect((await api.call('GET', '/users')).status).toBe(200);
  });

  test('a removed role has no effect as of the next request', async () => {
    const { user, key } = await api.newUser('admin');
    expect((await api.call('GET', '/users', { key })).status).toBe(200);
    const changed = await api.call('PATCH', `/users/${user.id}`, { body: { role: 'member' } });
    expect(changed.body).toMatchObject({ id: user.id, role: 'member' });
    expect((await api.call('GET', '/users', { key })).status).toBe(403);
  });

  test('a new email also renames the personal project', async () => {
    const { user } = await api.newUser('member');
    const project = () => api.call('GET', `/projects/${user.personalProjectId}`);
    const { body: before } = await project();
    const email = anEmail().toLowerCase();
    const { body: changed } = await api.call('PATCH', `/users/${user.id}`, { body: { email } });
    const { body: after } = await project();
    expect([changed.email, after.name]).toEqual([email, email]);
    expect([changed.updatedAt, after.updatedAt]).not.toContain(before.updatedAt);
  });

  test('a user with workflows is deleted only if the request names a new owner; the user’s keys then get 403', async () => {
    const { user, key } = await api.newUser('member');
    const { body: workflow } = await api.call('POST', '/workflows', { key, body: aSmallWorkflow() });
    const tag = (await api.call('GET', `/workflows/${workflow.id}`, { key })).headers.get('etag');
    const { body: run } = await api.call('POST', `/workflows/${workflow.id}/run`, { key });
    const refused = await api.call('DELETE', `/users/${user.id}`);
    expect([refused.status, refused.body.code]).toEqual([409, 'PROJECT_NOT_EMPTY']);
    expect(refused.body.details).toEqual([{ path: 'workflows', message: '1' }]);
    expect((await api.call('DELETE', `/users/${user.id}?transferTo=none`)).status).toBe(404);
    const heir = await api.newUser('member');
    expect((await api.call('GET', `/workflows/${workflow.id}`, { key })).status).toBe(200);

    const transferTo = await idOf(heir.key);
    expect((await api.call('DELETE', `/users/${user.id}?transferTo=${transferTo}`)).body).toEqual({ success: true });
    expect((await api.call('GET', '/workflows', { key })).status).toBe(403);
    expect((await api.call('GET', `/users/${user.id}`)).status).toBe(404);
    const moved = await api.call('GET', `/workflows/${workflow.id}`, { key: heir.key });
    expect([moved.status, moved.body.projectId]).toEqual([200, transferTo]);
    expect(moved.headers.get('etag')).not.toBe(tag);
    expect((await api.call('GET', `/executions/${run.executionId}`, { key: heir.key })).status).toBe(200);
  });
});

describe('projects', () => {
  test('are created by owners and admins, who become their first admin', async () => {
    const { key } = await api.newUser('admin');
    const { status, body } = await api.call('POST', '/projects', { key, body: { name: 'Ops' } });
    expect([status, body.name, body.type, body.role]).toEqual([201, 'Ops', 'team', 'project:admin']);
    expect((await api.call('GET', `/projects/${body.id}`, { key })).body).toEqual(body);
    expect((await api.call('GET', `/projects/${body.id}/members`, { key })).body).toMatchObject([{ role: 'project:admin' }]);
    const { key: member } = await api.newUser('member');
    expect((await api.call('POST', '/projects', { key: member, body: { name: 'Ops' } })).status).toBe(403);
    for (const name of ['', ' ', 'x'.repeat(129), 7, 'a\u0000']) {
      expect((await api.call('POST', '/projects', { body: { name } })).status).toBe(400);
    }
  });

  test('are visible only to members', async () => {
    const team = await api.projects.createTeam({ name: 'team' });
    const { user, key } = await api.newUser('member');
    expect((await api.call('GET', `/projects/${team.id}`, { key })).status).toBe(403);
    expect((await api.call('GET', '/projects/none', { key })).status).toBe(404);
    const body = { email: user.email.toUpperCase(), role: 'project:viewer' };
    const added = await api.call('POST', `/projects/${team.id}/members`, { body });
    const membership = { projectId: team.id, userId: user.id, email: user.email };
    expect([added.status, added.body]).toEqual([201, { ...membership, role: 'project:viewer' }]);
    const seen = (await api.call('GET', '/projects', { key })).body.data;
    expect(seen.map(({ id }: { id: string }) => id)).toEqual(expect.arrayContaining([team.id, user.personalProjectId]));
    expect(seen).toHaveLength(2);
    const path = `/projects/${team.id}/members/${user.id}`;
    expect((await api.call('PATCH', path, { body: { role: 'project:admin' } })).body.role).toBe('project:admin');
    expect((await api.call('PATCH', `/projects/${team.id}`, { key, body: { name: 'new' } })).body.name).toBe('new');
    await api.projects.setMember(team.id, (await api.newUser('member')).user.id, 'project:admin');
    expect((await api.call('DELETE', path)).body).toEqual({ success: true });
    expect((await api.call('GET', `/projects/${team.id}`, { key })).status).toBe(403);
    expect((await api.call('DELETE', path)).status).toBe(404);
    expect((await api.call('PATCH', path, { body: { role: 'project:admin' } })).status).toBe(404);
  });

  test('can get a higher weight only from owners and admins of the instance', async () => {
    const team = await api.projects.createTeam({ name: 'team' });
    const { user, key } = await api.newUser('member');
    await api.projects.setMember(team.id, user.id, 'project:admin');
    const weigh = (weight: unknown, as?: { key: string }) =>
      api.call('PATCH', `/projects/${team.id}`, { ...as, body: { weight } });
    expect((await weigh(3, { key })).status).toBe(403);
    expect((await weigh(3)).body).toMatchObject({ name: 'team', weight: 3 });
    expect((await api.call('PATCH', `/projects/${team.id}`, { key, body: { concurrency: null } })).status).toBe(403);
    for (const weight of [0, 101, 1.5, '3', null]) expect((await weigh(weight)).status).toBe(400);
  });

  test('a member may leave, and a user cannot be added twice', async () => {
    const team = await api.projects.createTeam({ name: 'team' });
    const { user, key } = await api.newUser('member');
    const add = { body: { userId: user.id, role: 'project:viewer' } };
    expect((await api.call('POST', `/projects/${team.id}/members`, add)).status).toBe(201);
    expect((await api.call('POST', `/projects/${team.id}/members`, add)).status).toBe(409);
    expect((await api.call('DELETE', `/projects/${team.id}/members/${user.id}`, { key })).status).toBe(200);
    for (const body of [{ role: 'project:viewer' }, { userId: user.id, email: user.email, role: 'project:viewer' }]) {
      expect((await api.call('POST', `/projects/${team.id}/members`, { body })).status).toBe(400);
    }
    for (const body of [
      { userId: 'none', role: 'project:viewer' },
      { email: 'no@body', role: 'project:viewer' },
    ]) {
      expect((await api.call('POST', `/projects/${team.id}/members`, { body })).status).toBe(404);
    }
  });

  test('the last admin of a team project cannot be removed or demoted', async () => {
    const [{ user: first, key }, { user: second }] = [await api.newUser('member'), await api.newUser('member')];
    const team = await api.projects.createTeam({ name: 'team' }, first.id);
    const members = `/projects/${team.id}/members`;
    await api.call('POST', members, { key, body: { userId: second.id, role: 'project:editor' } });

    expect((await api.call('DELETE', `${members}/${first.id}`, { key })).status).toBe(409);
    expect((await api.call('DELETE', `${members}/${first.id}`)).status).toBe(409);
    expect((await api.call('PATCH', `${members}/${first.id}`, { body: { role: 'project:viewer' } })).status).toBe(409);
    expect((await api.call('GET', members)).body).toContainEqual(
      expect.objectContaining({ userId: first.id, role: 'project:admin' }),
    );

    await api.call('PATCH', `${members}/${second.id}`, { key, body: { role: 'project:admin' } });
    expect((await api.call('DELETE', `${members}/${first.id}`, { key })).status).toBe(200);
  });

  test('a user stays the admin of their personal project, which is deleted only with the user', async () => {
    const { user } = await api.newUser('member');
    const path = `/projects/${user.personalProjectId}`;
    expect((await api.call('DELETE', path)).status).toBe(409);
    expect((await api.call('DELETE', `${path}/members/${user.id}`)).status).toBe(409);
    expect((await api.call('PATCH', `${path}/members/${user.id}`, { body: { role: 'project:viewer' } })).status).toBe(409);
    const { user: guest, key } = await api.newUser('member');
    const invited = await api.call('POST', `${path}/members`, { body: { userId: guest.id, role: 'project:admin' } });
    expect(invited.status).toBe(201);
    const { body: workflow } = await api.call('POST', '/workflows', { key, body: aSmallWorkflow() });
    expect(workflow.projectId).toBe(guest.personalProjectId);
  });

  test('with contents are deleted only if the request names a project to receive them', async () => {
    const team = await api.projects.createTeam({ name: 'team' });
    const { body: workflow } = await api.call('POST', '/workflows', { body: { ...aSmallWorkflow(), projectId: team.id } });
    const data = { user: 'u', password: 'p' };
    const credential = { name: 'c', type: 'httpBasicAuth', data, projectId: team.id };
    const { body: created } = await api.call('POST', '/credentials', { body: credential });
    const refused = await api.call('DELETE', `/projects/${team.id}`);
    expect([refused.status, refused.body.code]).toEqual([409, 'PROJECT_NOT_EMPTY']);
    expect(refused.body.details).toEqual(['workflows', 'credentials'].map((path) => ({ path, message: '1' })));
    expect((await api.call('DELETE', `/projects/${team.id}?transferTo=${team.id}`)).status).toBe(409);
    const heir = await api.projects.createTeam({ name: 'heir' });
    expect((await api.call('DELETE', `/projects/${team.id}?transferTo=${heir.id}`)).status).toBe(200);
    expect((await api.call('GET', `/workflows/${workflow.id}`)).body.projectId).toBe(heir.id);
    expect((await api.call('GET', `/credentials/${created.id}`)).status).toBe(200);
    expect((await api.call('GET', `/projects/${team.id}`)).status).toBe(404);
    const { id: empty } = await api.projects.createTeam({ name: 'empty' });
    expect((await api.call('DELETE', `/projects/${empty}`, { key: ownerKey })).status).toBe(200);
  });

  test('with a data table are deleted only if the receiving project has no table of that name', async () => {
    const [team, heir] = [await api.projects.createTeam({ name: 'team' }), await api.projects.createTeam({ name: 'heir' })];
    const make = async (projectId: string) => {
      const columns = [{ name: 'age', type: 'number' }];
      const { body } = await api.call('POST', '/data-tables', { body: { projectId, name: 'people', columns } });
      await api.call('POST', `/data-tables/${body.id}/rows`, { body: { data: [{ age: 36 }] } });
      return body.id;
    };
    const [id, other] = [await make(team.id), await make(heir.id)];
    const refused = await api.call('DELETE', `/projects/${team.id}`);
    expect([refused.status, refused.body.details]).toEqual([409, [{ path: 'dataTables', message: '1' }]]);
    const conflicting = await api.call('DELETE', `/projects/${team.id}?transferTo=${heir.id}`);
    expect([conflicting.status, conflicting.body.message]).toEqual([
      409,
      expect.stringContaining('data table of the same name'),
    ]);
    expect((await api.call('PATCH', `/data-tables/${other}`, { body: { name: 'others' } })).status).toBe(200);
    expect((await api.call('DELETE', `/projects/${team.id}?transferTo=${heir.id}`)).status).toBe(200);
    expect((await api.call('GET', `/data-tables/${id}`)).body).toMatchObject({ projectId: heir.id, rowCount: 1 });
  });
});
