import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { aChain, aNode } from '@sluice/test-support';
import { startTestApi, type TestApi } from './support/test-api.ts';

const redacted = '***REDACTED***';
const basicAuth = { name: 'CRM', type: 'httpBasicAuth', data: { user: 'ann', password: 'correct horse' } };

let api: TestApi;
let target: Server;
let targetUrl: string;
let seen: IncomingMessage[] = [];

beforeAll(async () => {
  api = await startTestApi({ SSRF_PROTECTION: 'off' });
  target = createServer((request, response) => {
    seen.push(request);
    if (request.url === '/hang') return;
    const good = request.headers.authorization === `Basic ${Buffer.from('ann:correct horse').toString('base64')}`;
    response.writeHead(good ? 200 : 401).end(good ? 'ok' : `no: ${request.headers.authorization}`);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => target.once('listening', resolve));
  targetUrl = `http://127.0.0.1:${(target.address() as AddressInfo).port}`;
});
afterAll(async () => {
  target.closeAllConnections();
  target.close();
  await api.close();
});

async function create(changes: object = {}, key?: string) {
  const { status, body } = await api.call('POST', '/credentials', { body: { ...basicAuth, ...changes }, key });
  expect([status, body.message]).toEqual([201, undefined]);
  return body;
}

/** A team with members of each role, and somebody who is no member. */
async function aTeam() {
  const team = await api.projects.createTeam('team');
  const member = async (role: 'project:viewer' | 'project:editor' | 'project:admin') => {
    const made = await api.newUser('member');
    await api.projects.setMember(team.id, made.user.id, role);
    return made;
  };
  const [viewer, editor, admin] = [
    await member('project:viewer'),
    await member('project:editor'),
    await member('project:admin'),
  ];
  return { team, viewer, editor, admin, outsider: await api.newUser('member') };
}

const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status);

describe('creation', () => {
  test('answers 201 with the credential and the caller’s scopes, never with data', async () => {
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

  test('stores no secret in the clear', async () => {
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
    ['no name', { name: undefined }, '/name'],
    ['an unknown type', { type: 'nonsense' }, '/type'],
    ['a type named like a prototype', { type: 'constructor' }, '/type'],
    ['no data', { data: undefined }, '/data'],
    ['data that are no object', { data: [] }, '/data'],
    ['data without a required field', { data: { password: 'p' } }, '/data/user'],
    ['data with a field of the wrong type', { data: { user: 1, password: 'p' } }, '/data/user'],
    ['data with a placeholder', { data: { user: 'ann', password: redacted } }, '/data/password'],
    ['isGlobal as text', { isGlobal: 'true' }, '/isGlobal'],
    ['isResolvable as null', { isResolvable: null }, '/isResolvable'],
    ['a projectId that is a number', { projectId: 1 }, '/projectId'],
  ])('with %s is 400, names the place and writes nothing', async (_, change, path) => {
    const count = async () => (await api.call('GET', '/credentials')).body.length;
    const before = await count();
    const { status, body } = await api.call('POST', '/credentials', { body: { ...basicAuth, ...change } });
    expect([status, body.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(body.details.map((issue: { path: string }) => issue.path)).toContain(path);
    expect(await count()).toBe(before);
  });

  test('keeps what the type does not know, and any JSON text, as it came', async () => {
    const data = { user: 'a\u0000\ud800', password: 'p', extra: { ['__proto__']: [1] } };
    const { id } = await create({ data });
    const read = (await api.call('GET', `/credentials/${id}?includeData=true`)).body;
    expect(read.data).toEqual({ user: 'a\u0000\ud800', password: redacted, extra: redacted });
  });

  test('goes to the personal project, or to the one named: 403 where the caller may not write, 404 where there is none', async () => {
    const { team, viewer, editor } = await aTeam();
    expect((await create({}, editor.key)).projectId).not.toBe(team.id);
    expect((await create({ projectId: team.id }, editor.key)).projectId).toBe(team.id);
    const post = (projectId: string, key: string) =>
      api.call('POST', '/credentials', { key, body: { ...basicAuth, projectId } });
    expect(statuses([await post(team.id, viewer.key), await post('none', editor.key)])).toEqual([403, 404]);
  });

  test('as a global one is for owners and admins: others get 403', async () => {
    const { user: _, key } = await api.newUser('member');
    const global = await api.call('POST', '/credentials', { key, body: { ...basicAuth, isGlobal: true } });
    expect([global.status, global.body.code]).toEqual([403, 'FORBIDDEN']);
    const admin = await api.newUser('admin');
    expect((await create({ isGlobal: true }, admin.key)).isGlobal).toBe(true);
  });
});

describe('reading', () => {
  test('gives data only when asked to, without its secrets', async () => {
    const { id } = await create();
    expect((await api.call('GET', `/credentials/${id}`)).body).not.toHaveProperty('data');
    const { headers, body } = await api.call('GET', `/credentials/${id}?includeData=true`);
    expect(body.data).toEqual({ user: 'ann', password: redacted });
    expect(headers.get('cache-control')).toBe('no-store');
    const listed = (await api.call('GET', '/credentials?includeData=true')).body.find((each: { id: string }) => each.id === id);
    expect(listed.data).toEqual({ user: 'ann', password: redacted });
  });

  test('of one that is not there is 404, of a foreign one 403', async () => {
    const { id } = await create();
    const { key } = await api.newUser('member');
    expect((await api.call('GET', `/credentials/${id}`, { key })).status).toBe(403);
    for (const none of ['none', '..%2f..%2fetc', 'a%00b', "x'%20OR%201=1", '__proto__', 'x'.repeat(500)]) {
      expect((await api.call('GET', `/credentials/${none}`, { key })).status).toBe(404);
    }
  });

  test('one that no key decrypts is flagged, the others are not', async () => {
    const [{ id }, whole] = [await create(), await create()];
    await api.db.kysely.updateTable('credentials').set({ key_id: 'gone' }).where('id', '=', id).execute();
    const list = await api.call('GET', '/credentials?includeData=true');
    expect(list.status).toBe(200);
    const find = (wanted: string) => list.body.find((each: { id: string }) => each.id === wanted);
    expect(find(id)).toMatchObject({ isUnreadable: true });
    expect(find(id)).not.toHaveProperty('data');
    expect(find(whole.id)).not.toHaveProperty('isUnreadable');
    expect((await api.call('GET', `/credentials/${id}?includeData=true`)).body.isUnreadable).toBe(true);
    const keep = await api.call('PATCH', `/credentials/${id}`, { body: { data: { user: 'ann', password: redacted } } });
    expect([keep.status, keep.body.code]).toEqual([409, 'CREDENTIAL_UNREADABLE']);
    expect((await api.call('PATCH', `/credentials/${id}`, { body: { data: basicAuth.data } })).status).toBe(200);
    expect((await api.call('GET', `/credentials/${id}?includeData=true`)).body.data.user).toBe('ann');
  });
});

describe('the list', () => {
  test('is a bare array of what the caller sees, with scopes when asked for', async () => {
    const { key } = await api.newUser('member');
    const made = await create({}, key);
    const { body } = await api.call('GET', '/credentials?includeScopes=true&includeGlobal=false', { key });
    expect(body.map((each: { id: string }) => each.id)).toEqual([made.id]);
    expect(body[0].scopes).toContain('credential:update');
    expect((await api.call('GET', '/credentials?includeGlobal=false', { key })).body[0]).not.toHaveProperty('scopes');
  });

  test('shows what each role may do, within the scopes of the key', async () => {
    const { team, viewer, editor, admin } = await aTeam();
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

  test('is filtered by name, type and project, as JSON or as fields', async () => {
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
    expect(await names(json({ projectId: crm.projectId, other: 1 }))).toEqual(['Mail', 'The CRM']);
    expect(await names(json({ projectId: 'foreign' }))).toEqual([]);
    expect(await names('filter[name]=MAIL')).toEqual(['Mail']);
    expect(await names('filter%5Btype%5D=httpBasicAuth')).toEqual(['The CRM']);
    expect(await names("filter[name]=' OR '1'='1")).toEqual([]);
    for (const bad of [
      'filter=x',
      'filter=[]',
      'filter=null',
      json({ name: 1 }),
      'filter={}&filter={}',
      'filter[name]=a&filter[name]=b',
    ]) {
      expect([bad, await names(bad)]).toEqual([bad, 400]);
    }
    for (const bad of ['includeData=yes', 'includeScopes=1', 'onlySharedWithMe=', 'includeGlobal=TRUE']) {
      expect([bad, await names(bad)]).toEqual([bad, 400]);
    }
  });

  test('leaves global ones out when asked to, and own ones with onlySharedWithMe', async () => {
    const { team, viewer, outsider } = await aTeam();
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

describe('update', () => {
  test('answers a summary, and keeps secrets whose placeholder comes back', async () => {
    const { id, updatedAt } = await create({ data: { ...basicAuth.data, testUrl: targetUrl } });
    const { data } = (await api.call('GET', `/credentials/${id}?includeData=true`)).body;
    const { status, body } = await api.call('PATCH', `/credentials/${id}`, { body: { name: 'New', data } });
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(['id', 'name', 'scopes', 'type', 'updatedAt']);
    expect(body).toMatchObject({ id, name: 'New', type: 'httpBasicAuth' });
    expect(body.updatedAt > updatedAt).toBe(true);
    const tested = await api.call('POST', '/credentials/test', { body: { credentials: { id, type: 'httpBasicAuth' } } });
    expect(tested.body).toMatchObject({ status: 'success' });
  });

  test('with the exact body of GET changes nothing but updatedAt', async () => {
    const { id } = await create({ isGlobal: true });
    const before = (await api.call('GET', `/credentials/${id}?includeData=true&includeScopes=true`)).body;
    expect((await api.call('PATCH', `/credentials/${id}`, { body: before })).status).toBe(200);
    const after = (await api.call('GET', `/credentials/${id}?includeData=true&includeScopes=true`)).body;
    expect(after).toEqual({ ...before, updatedAt: after.updatedAt });
  });

  test('takes data as complete: a field that is left out is gone, and a required one is missed', async () => {
    const { id } = await create({ data: { ...basicAuth.data, testUrl: targetUrl } });
    const patch = (data: unknown) => api.call('PATCH', `/credentials/${id}`, { body: { data } });
    const partial = await patch({ password: redacted });
    expect([partial.status, partial.body.details[0].path]).toEqual([400, '/data/user']);
    expect((await patch({ user: 'bob', password: redacted })).status).toBe(200);
    const read = (await api.call('GET', `/credentials/${id}?includeData=true`)).body;
    expect(read.data).toEqual({ user: 'bob', password: redacted });
    const nothing = await patch({ user: 'bob', password: redacted, token: redacted });
    expect([nothing.status, nothing.body.details[0].path]).toEqual([400, '/data/token']);
  });

  test('of isGlobal is for owners and admins, unless it does not change', async () => {
    const { key } = await api.newUser('member');
    const { id } = await create({}, key);
    const patch = (isGlobal: unknown, as?: string) => api.call('PATCH', `/credentials/${id}`, { key: as, body: { isGlobal } });
    expect(statuses([await patch(true, key), await patch(false, key), await patch('true', key)])).toEqual([403, 200, 400]);
    expect((await patch(true)).status).toBe(200);
    expect(statuses([await patch(true, key), await patch(false, key)])).toEqual([200, 403]);
  });

  test('of a managed credential is 400 with the contract’s message', async () => {
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

  test('of one credential by many at once leaves one whole version', async () => {
    const { id } = await create();
    const users = Array.from({ length: 8 }, (_, i) => `user${i}`);
    const answers = await Promise.all(
      users.map((user) => api.call('PATCH', `/credentials/${id}`, { body: { data: { user, password: redacted } } })),
    );
    expect(statuses(answers)).toEqual(users.map(() => 200));
    expect(users).toContain((await api.call('GET', `/credentials/${id}?includeData=true`)).body.data.user);
  });
});

describe('deletion', () => {
  test('answers true, and 404 for what does not exist or belongs to others', async () => {
    const { id } = await create();
    const { team, viewer, outsider } = await aTeam();
    const shared = await create();
    await api.call('PUT', `/credentials/${shared.id}/share`, { body: { shareWithIds: [team.id] } });
    const global = await create({ isGlobal: true });
    for (const foreign of [id, shared.id, global.id]) {
      for (const key of [outsider.key, viewer.key]) {
        const answer = await api.call('DELETE', `/credentials/${foreign}`, { key });
        expect([answer.status, answer.body.message]).toEqual([404, `credential ${foreign} does not exist`]);
      }
    }
    const answer = await api.call('DELETE', `/credentials/${id}`);
    expect([answer.status, answer.body]).toEqual([200, true]);
    expect((await api.call('DELETE', `/credentials/${id}`)).status).toBe(404);
  });

  test('with ifUnused is 409 while a workflow names the credential, and says which; without, it works', async () => {
    const { team, editor } = await aTeam();
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

describe('roles', () => {
  test('viewers read; editors also create, update, delete and test; admins of the project also share and transfer', async () => {
    const { team, viewer, editor, admin, outsider } = await aTeam();
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
  test('lets the other projects read and use, not change; a repeated call says with whom exactly', async () => {
    const { team, editor } = await aTeam();
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

  test('needs projects that exist and that the caller is a member of; a refusal changes nothing', async () => {
    const { team, admin, outsider } = await aTeam();
    const { id } = await create({ projectId: team.id });
    const foreign = await api.projects.createTeam('foreign');
    const share = async (shareWithIds: unknown, key = admin.key) =>
      (await api.call('PUT', `/credentials/${id}/share`, { key, body: { shareWithIds } })).status;
    expect(await share(['none'])).toBe(404);
    expect(await share([foreign.id])).toBe(403);
    await api.projects.setMember(foreign.id, outsider.user.id, 'project:viewer');
    expect(await share([foreign.id], (await api.newUser('admin')).key)).toBe(204);
    expect(await share([foreign.id])).toBe(204); // it was there before
    expect(await share([foreign.id, 'none'])).toBe(404);
    expect((await api.call('GET', `/credentials/${id}`, { key: outsider.key })).status).toBe(200);
    for (const bad of [undefined, 'x', [1], [null], ['a\u0000']]) expect(await share(bad)).toBe(400);
  });

  test('needs the scope credential:share', async () => {
    const { user } = await api.newUser('admin');
    const key = await api.newKey(user.id, { scopes: ['credential:update'] });
    const { id } = await create();
    const { status, body } = await api.call('PUT', `/credentials/${id}/share`, { key, body: { shareWithIds: [] } });
    expect([status, body.details]).toEqual([403, [{ path: 'scope', message: 'credential:share' }]]);
  });
});

describe('transfer', () => {
  test('moves a credential and ends its shares; its data stay readable', async () => {
    const { team, viewer, editor } = await aTeam();
    const guest = await aTeam();
    const { id } = await create({ data: { ...basicAuth.data, testUrl: targetUrl } });
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

  test('needs write access to the destination', async () => {
    const { team, viewer } = await aTeam();
    const { id } = await create({}, viewer.key);
    const path = `/credentials/${id}/transfer`;
    const answer = await api.call('PUT', path, { key: viewer.key, body: { destinationProjectId: team.id } });
    expect(answer.status).toBe(403);
  });
});

describe('test', () => {
  const tryOut = async (credentials: unknown, key?: string) => {
    const { status, body } = await api.call('POST', '/credentials/test', { key, body: { credentials } });
    return status === 200 ? body : { ...body, httpStatus: status };
  };

  test('asks the service, with what is stored and what is given', async () => {
    const { id } = await create({ data: { ...basicAuth.data, testUrl: targetUrl } });
    const type = 'httpBasicAuth';
    seen = [];
    expect(await tryOut({ id, type })).toMatchObject({ status: 'success' });
    expect(await tryOut({ id, type, data: { password: redacted, user: 'ann' } })).toMatchObject({ status: 'success' });
    expect(await tryOut({ id, type, data: { user: 'bob' } })).toMatchObject({ status: 'error' });
    expect(await tryOut({ id: '', type, data: { ...basicAuth.data, testUrl: targetUrl } })).toMatchObject({
      status: 'success',
    });
    expect(seen).toHaveLength(4);
  });

  test('never repeats a secret, also when the service does', async () => {
    const data = { user: 'ann', password: 'sentinel-0815', testUrl: targetUrl };
    const body = JSON.stringify(await tryOut({ id: '', type: 'httpBasicAuth', data }));
    expect(body).toContain('"status":"error"');
    for (const secret of ['sentinel-0815', Buffer.from('ann:sentinel-0815').toString('base64')])
      expect(body).not.toContain(secret);
  });

  test('opens a connection for what is no HTTP service', async () => {
    const connection = { host: '127.0.0.1', port: 1, database: 'd', user: 'u', password: 'pass-word', ssl: 'disable' };
    const result = await tryOut({ id: '', type: 'postgres', data: connection });
    expect(result.status).toBe('error');
    expect(result.message).toMatch(/refused/);
  });

  test('says what is missing, and 400 for what is no test at all', async () => {
    expect(await tryOut({ id: '', type: 'httpBasicAuth', data: {} })).toMatchObject({
      status: 'error',
      message: 'the credential is not complete: user is required',
    });
    const { id } = await create();
    for (const bad of [
      undefined,
      [],
      {},
      { id },
      { type: 'httpBasicAuth' },
      { id, type: 'nonsense' },
      { id, type: 'httpHeaderAuth' },
      { id: 1, type: 'httpBasicAuth' },
      { id, type: 'httpBasicAuth', data: [] },
      { id: '', type: 'httpBasicAuth', data: { user: redacted, password: 'x' } },
    ]) {
      expect([bad, (await tryOut(bad)).httpStatus]).toEqual([bad, 400]);
    }
    expect((await tryOut({ id: 'none', type: 'httpBasicAuth' })).httpStatus).toBe(404);
  });

  test('sends stored secrets nowhere else for those who may use but not change a credential', async () => {
    const { team, editor, viewer } = await aTeam();
    const data = { ...basicAuth.data, testUrl: targetUrl };
    const { id } = await create({ data });
    await api.call('PUT', `/credentials/${id}/share`, { body: { shareWithIds: [team.id] } });
    const type = 'httpBasicAuth';
    expect(await tryOut({ id, type }, editor.key)).toMatchObject({ status: 'success' });
    const shown = { user: 'ann', password: redacted, testUrl: targetUrl };
    expect(await tryOut({ id, type, data: shown }, editor.key)).toMatchObject({ status: 'success' });
    seen = [];
    expect((await tryOut({ id, type, data: { testUrl: `${targetUrl}/thief` } }, editor.key)).httpStatus).toBe(403);
    expect((await tryOut({ id, type }, viewer.key)).httpStatus).toBe(403);
    expect(seen).toEqual([]);
  });

  test('of what no key decrypts is an error result', async () => {
    const { id } = await create();
    await api.db.kysely.updateTable('credentials').set({ key_id: 'gone' }).where('id', '=', id).execute();
    expect(await tryOut({ id, type: 'httpBasicAuth' })).toMatchObject({
      status: 'error',
      message: expect.stringContaining('cannot be decrypted'),
    });
  });
});

describe('new and schema', () => {
  test('give a name that is free among what the caller sees', async () => {
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

  test('give the JSON Schema of a type, and 404 for none', async () => {
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
