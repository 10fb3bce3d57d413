import { afterAll, describe, expect, test } from '@jest/globals';
import { aNode, aSmallWorkflow, eventually } from '@sluice/test-support';
import { sql } from 'kysely';
import { ownerKey, startTestApi } from './support/test-api.ts';

const api = await startTestApi({ WORKFLOW_MAX_NODES: '50' });
afterAll(() => api.close());

async function create(changes: object = {}) {
  const { status, body } = await api.call('POST', '/workflows', { body: { ...aSmallWorkflow(), ...changes } });
  expect(status).toBe(201);
  return body;
}

async function countVersions(workflowId: string): Promise<number> {
  const rows = await api.db.kysely.selectFrom('workflow_versions').select('id').where('workflow_id', '=', workflowId).execute();
  return rows.length;
}

test('a cursor is 400 if any character was changed or the filters differ', async () => {
  for (let i = 0; i < 2; i += 1) await create({ name: 'paged' });
  const query = '/workflows?limit=1&name=paged';
  const { nextCursor } = (await api.call('GET', query)).body;
  expect((await api.call('GET', `${query}&cursor=${nextCursor}`)).body.data).toHaveLength(1);
  for (const [at, character] of [...nextCursor].entries()) {
    const changed = `${nextCursor.slice(0, at)}${character === 'A' ? 'B' : 'A'}${nextCursor.slice(at + 1)}`;
    expect((await api.call('GET', `${query}&cursor=${changed}`)).status).toBe(400);
  }
  const other = await api.call('GET', `/workflows?limit=1&name=page&cursor=${nextCursor}`);
  const message = 'must be a nextCursor of this list with the same filters';
  expect([other.status, other.body.details]).toEqual([400, [{ path: '/cursor', message }]]);
});

test('a cursor works for a path that ends with a slash, even if another request got the same page', async () => {
  for (let i = 0; i < 2; i += 1) await create({ name: 'sliced' });
  const page = async (path: string, query = '') => {
    const headers = { 'x-service-api-key': ownerKey };
    const response = await fetch(`${api.url}/api/v1/${path}?limit=1&name=sliced${query}`, { headers });
    return { status: response.status, ...((await response.json()) as { nextCursor: string }) };
  };
  await page('workflows');
  const { nextCursor } = await page('workflows/');
  for (const path of ['workflows', 'workflows/']) expect((await page(path, `&cursor=${nextCursor}`)).status).toBe(200);
});

describe('creation', () => {
  test('returns 201 with an inactive workflow in the personal project', async () => {
    const workflow = {
      ...aSmallWorkflow(),
      settings: { executionOrder: 'v1', mine: { a: [1] } },
      staticData: { n: 1 },
      meta: { m: 1 },
    };
    const { status, body, headers } = await api.call('POST', '/workflows', { body: workflow });
    expect(status).toBe(201);
    expect(body).toMatchObject({ ...workflow, active: false, tags: [], pinData: {}, activeVersionId: null });
    expect(headers.get('etag')).toMatch(/^"\d+"$/);
    const { body: stored } = await api.call('GET', `/workflows/${body.id}`);
    expect(stored).toEqual(body);
  });

  test('keeps the ID of the request, and rejects a duplicate with the message of the contract', async () => {
    const id = 'my_own-Id1';
    expect((await create({ id })).id).toBe(id);
    const again = await api.call('POST', '/workflows', { body: { ...aSmallWorkflow(), id } });
    expect(again.status).toBe(400);
    expect(again.body.message).toBe(`workflow with id ${id} exists already`);
  });

  test('rejects the ID of a deleted workflow permanently', async () => {
    const id = 'a-deleted-id';
    await create({ id });
    expect((await api.call('DELETE', `/workflows/${id}`)).status).toBe(200);
    const again = await api.call('POST', '/workflows', { body: { ...aSmallWorkflow(), id } });
    expect([again.status, again.body.message]).toEqual([
      400,
      `workflow with id ${id} has been deleted, and its id cannot be used again`,
    ]);
    expect(again.body.details).toEqual([{ path: '/id', message: 'is already in use: omit it to get a generated ID' }]);
    expect((await api.call('GET', `/workflows/${id}`)).status).toBe(404);
  });

  test('rejects the ID of a workflow that is being deleted', async () => {
    const id = 'an-id-in-deletion';
    await create({ id });
    const deletion = await api.db.kysely.startTransaction().execute();
    await deletion.deleteFrom('workflows').where('id', '=', id).execute();
    const again = api.call('POST', '/workflows', { body: { ...aSmallWorkflow(), id } });
    await eventually(async () => {
      const { rows } = await sql<{
        waiting: boolean;
      }>`SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted) AS waiting`.execute(api.db.kysely);
      return rows[0]?.waiting === true;
    });
    await deletion.commit().execute();
    expect((await again).status).toBe(400);
  });

  test('rejects a missing error workflow, also in an update, but a workflow may name itself', async () => {
    const issue = [{ path: '/settings/errorWorkflow', message: 'no workflow has this ID' }];
    const naming = (errorWorkflow: string) => ({ settings: { errorWorkflow } });
    const refused = await api.call('POST', '/workflows', { body: { ...aSmallWorkflow(), ...naming('nowhere') } });
    expect([refused.status, refused.body.details]).toEqual([400, issue]);
    const created = await create({ id: 'names-itself', ...naming('names-itself') });
    expect(created.settings.errorWorkflow).toBe('names-itself');
    const handler = await create();
    const patch = (settings: object) => api.call('PATCH', `/workflows/${created.id}`, { body: settings });
    expect((await patch(naming(handler.id))).status).toBe(200);
    const unknown = await patch(naming('nowhere'));
    expect([unknown.status, unknown.body.details]).toEqual([400, issue]);
    for (const none of ['', 'DEFAULT']) expect((await patch(naming(none))).status).toBe(200);
    await patch(naming(handler.id));
    await api.call('DELETE', `/workflows/${handler.id}`);
    const { body: current } = await api.call('GET', `/workflows/${created.id}`);
    expect((await patch(current)).status).toBe(200);
  });

  test('rejects an inaccessible error workflow like a missing one', async () => {
    const { key } = await api.newUser('member');
    const hidden = await create({ settings: { callerPolicy: 'any' } });
    const naming = (errorWorkflow: string) => ({ settings: { errorWorkflow } });
    const create400 = (id: string) => api.call('POST', '/workflows', { key, body: { ...aSmallWorkflow(), ...naming(id) } });
    const { body: created } = await api.call('POST', '/workflows', { key, body: aSmallWorkflow() });
    const patch = (id: string) => api.call('PATCH', `/workflows/${created.id}`, { key, body: naming(id) });
    for (const send of [create400, patch]) {
      const [unseen, unknown] = [await send(hidden.id), await send('nowhere')];
      expect([unseen.status, unseen.body.details]).toEqual([400, unknown.body.details]);
      expect(unseen.body.message).toBe(unknown.body.message);
    }
    expect((await patch(created.id)).status).toBe(200);
  });

  test('ignores read-only and unknown properties', async () => {
    const workflow = await create({ active: true, createdAt: 5, versionId: [], unknown: { x: 1 } });
    expect(workflow.active).toBe(false);
    expect(workflow).not.toHaveProperty('unknown');
  });

  test('stores unknown node types and properties', async () => {
    const node = { ...aNode({ name: 'x', type: 'no.such' }), notes: 'n', webhookId: 'w', typeVersion: 9 };
    expect((await create({ nodes: [node], connections: {} })).nodes).toEqual([node]);
  });

  test('stores __proto__, U+0000, and lone surrogates as data', async () => {
    const text = `{"name":"p","nodes":[{"name":"__proto__","type":"t","position":[0,0],
      "parameters":{"__proto__":{"polluted":1},"constructor":{"prototype":1},"s":"a\\u0000b\\ud800"}}],
      "connections":{"__proto__":{"main":[[{"node":"__proto__","type":"main","index":0}],null]}},
      "settings":{"__proto__":{"x":1}},"staticData":{"__proto__":{"y":"\\u0000"}},"pinData":{"__proto__":[{"json":{"__proto__":1}}]}}`;
    const created = await api.call('POST', '/workflows', { rawBody: text });
    expect(created.status).toBe(201);
    const { body } = await api.call('GET', `/workflows/${created.body.id}`);
    const workflow = JSON.parse(text);
    for (const part of ['nodes', 'connections', 'settings', 'staticData', 'pinData']) {
      expect(JSON.stringify(body[part])).toBe(JSON.stringify(workflow[part]));
    }
  });

  test('rejects inconsistent graphs with the paths of the problems', async () => {
    const nodes = [aNode({ name: 'a', type: 't' }), aNode({ name: 'a', type: 't' })];
    const connections = { a: { main: [[{ node: 'gone', type: 'main', index: 0 }]] }, b: { main: [] } };
    const { status, body } = await api.call('POST', '/workflows', { body: { name: 'w', nodes, connections } });
    expect(status).toBe(400);
    expect(body.details.map((issue: { path: string }) => issue.path)).toEqual([
      '/nodes/1/name',
      '/connections/a/main/0/0/node',
      '/connections/b',
    ]);
  });

  test('rejects more nodes than the limit, and missing tags', async () => {
    const nodes = Array.from({ length: 51 }, (_, i) => aNode({ name: `n${i}`, type: 't' }));
    expect((await api.call('POST', '/workflows', { body: { name: 'w', nodes, connections: {} } })).status).toBe(400);
    expect((await api.call('POST', '/workflows', { body: { ...aSmallWorkflow(), tags: ['x'] } })).status).toBe(400);
    await create({ tags: [] });
  });
});

describe('update', () => {
  test('with the exact body of GET changes only updatedAt', async () => {
    const created = await create({ pinData: { Set: [{ json: { a: 1 } }] }, staticData: { s: 1 } });
    const { body: workflow } = await api.call('GET', `/workflows/${created.id}`);
    const { status, body } = await api.call('PATCH', `/workflows/${created.id}`, { body: workflow });
    expect(status).toBe(200);
    expect(body).toEqual({ ...workflow, updatedAt: body.updatedAt });
    expect(body.updatedAt >= workflow.updatedAt).toBe(true);
    expect(await countVersions(created.id)).toBe(1);
  });

  test('creates a version only when the graph changes', async () => {
    const { id, versionId } = await create();
    const { body: renamed } = await api.call('PATCH', `/workflows/${id}`, { body: { name: 'other' } });
    expect(renamed).toMatchObject({ name: 'other', nodes: aSmallWorkflow().nodes });
    expect(renamed.versionId).not.toBe(versionId);
    const { body: same } = await api.call('PATCH', `/workflows/${id}`, { body: { staticData: { x: 1 } } });
    expect(same).toMatchObject({ staticData: { x: 1 }, versionId: renamed.versionId });
    expect(await countVersions(id)).toBe(2);
  });

  test('checks the whole graph when the request contains only a part', async () => {
    const { id } = await create();
    const { status, body } = await api.call('PATCH', `/workflows/${id}`, { body: { nodes: [] } });
    expect(status).toBe(400);
    expect(body.details[0].path).toMatch(/^\/connections\//);
  });

  test('with a stale If-Match is 409 and writes nothing', async () => {
    const { id } = await create();
    const first = (await api.call('GET', `/workflows/${id}`)).headers.get('etag') as string;
    const ok = await api.call('PATCH', `/workflows/${id}`, { body: { name: 'one' }, headers: { 'if-match': first } });
    expect(ok.status).toBe(200);
    const stale = await api.call('PATCH', `/workflows/${id}`, { body: { name: 'two' }, headers: { 'if-match': first } });
    expect(stale).toMatchObject({ status: 409, body: { code: 'VERSION_CONFLICT' } });
    const current = ok.headers.get('etag') as string;
    for (const tag of [`W/"x", ${current}`, '*']) {
      const next = await api.call('GET', `/workflows/${id}`);
      expect(next.body.name).toBe('one');
      const ifMatch = tag === '*' ? '*' : tag;
      expect(
        (await api.call('PATCH', `/workflows/${id}`, { body: { name: 'one' }, headers: { 'if-match': ifMatch } })).status,
      ).toBe(200);
    }
  });

  test('by concurrent requests loses no update and creates each version once', async () => {
    const { id } = await create();
    const names = Array.from({ length: 8 }, (_, i) => `name ${i}`);
    const responses = await Promise.all(names.map((name) => api.call('PATCH', `/workflows/${id}`, { body: { name } })));
    expect(responses.map((response) => response.status)).toEqual(names.map(() => 200));
    expect(new Set(responses.map((response) => response.headers.get('etag'))).size).toBe(names.length);
    expect(await countVersions(id)).toBe(1 + names.length);
  });
});

describe('list', () => {
  test('shows every change immediately, even while others read the same page, and pinned data only on request', async () => {
    const page = (query = '') => api.call('GET', `/workflows?name=changing${query}`);
    const { id } = await create({ name: 'changing 0', pinData: { Start: [{ json: { n: 1 } }] } });
    for (let i = 1; i <= 10; i += 1) {
      const others = [page(), page()];
      await api.call('PATCH', `/workflows/${id}`, { body: { name: `changing ${i}` } });
      const [mine, ...rest] = await Promise.all([page(), page('&excludePinnedData=true'), ...others]);
      expect(mine?.body.data).toMatchObject([{ name: `changing ${i}`, pinData: { Start: [{ json: { n: 1 } }] } }]);
      expect(rest[0]?.body.data[0]).not.toHaveProperty('pinData');
    }
  });

  test('returns every workflow once, newest first, even while workflows are deleted', async () => {
    const { user, key } = await api.newUser('member');
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) ids.push((await api.call('POST', '/workflows', { key, body: aSmallWorkflow() })).body.id);
    const first = await api.call('GET', '/workflows?limit=2', { key });
    expect(first.body.data.map((w: { id: string }) => w.id)).toEqual([ids[4], ids[3]]);
    await api.call('DELETE', `/workflows/${ids[3]}`, { key });
    const second = await api.call('GET', `/workflows?limit=2&cursor=${first.body.nextCursor}`, { key });
    expect(second.body.data.map((w: { id: string }) => w.id)).toEqual([ids[2], ids[1]]);
    const third = await api.call('GET', `/workflows?limit=2&cursor=${second.body.nextCursor}`, { key });
    expect(third.body.data.map((w: { id: string }) => w.id)).toEqual([ids[0]]);
    expect(third.body.nextCursor).toBeNull();
    expect(user.role).toBe('member');
  });

  test('filters by part of the name, with % and _ as literals', async () => {
    const { key } = await api.newUser('member');
    for (const name of ['100% Sure', 'a_b', 'aXb', 'back\\slash']) {
      await api.call('POST', '/workflows', { key, body: { ...aSmallWorkflow(), name } });
    }
    const names = async (part: string) => {
      const { body } = await api.call('GET', `/workflows?name=${encodeURIComponent(part)}`, { key });
      return body.data.map((w: { name: string }) => w.name);
    };
    expect(await names('sure')).toEqual(['100% Sure']);
    expect(await names('%')).toEqual(['100% Sure']);
    expect(await names('A_B')).toEqual(['a_b']);
    expect(await names('\\')).toEqual(['back\\slash']);
    expect(await names("'; drop table workflows; --")).toEqual([]);
  });

  test('filters by activity, project, and tags', async () => {
    const { key } = await api.newUser('member');
    const { body: workflow } = await api.call('POST', '/workflows', { key, body: aSmallWorkflow() });
    const count = async (query: string) => (await api.call('GET', `/workflows?${query}`, { key })).body.data.length;
    expect(await count('active=false')).toBe(1);
    expect(await count('active=true')).toBe(0);
    expect(await count(`projectId=${workflow.projectId}`)).toBe(1);
    expect(await count('projectId=other')).toBe(0);
    expect(await count('tags=prod')).toBe(0);
    expect(await count('tags=')).toBe(1);
  });

  test('omits pinned data on request', async () => {
    const { id } = await create({ pinData: { Set: [{ json: {} }] } });
    expect((await api.call('GET', `/workflows/${id}`)).body.pinData).toEqual({ Set: [{ json: {} }] });
    expect((await api.call('GET', `/workflows/${id}?excludePinnedData=true`)).body).not.toHaveProperty('pinData');
    const { body } = await api.call('GET', '/workflows?excludePinnedData=true');
    for (const workflow of body.data) expect(workflow).not.toHaveProperty('pinData');
  });
});

describe('deletion', () => {
  test('with a stale If-Match is 409 and deletes neither the workflow nor its history', async () => {
    const { id } = await create();
    const etag = async () => (await api.call('GET', `/workflows/${id}`)).headers.get('etag') ?? '';
    const stale = await etag();
    const { executionId } = (await api.call('POST', `/workflows/${id}/run`, { headers: { prefer: 'respond-async' } })).body;
    await api.call('POST', `/executions/${executionId}/stop`);
    await api.call('PATCH', `/workflows/${id}`, { body: { name: 'changed' } });
    const remove = (ifMatch: string) => api.call('DELETE', `/workflows/${id}`, { headers: { 'if-match': ifMatch } });
    expect(await remove(stale)).toMatchObject({ status: 409, body: { code: 'VERSION_CONFLICT' } });
    expect((await api.call('GET', `/executions/${executionId}`)).status).toBe(200);
    expect(await remove(await etag())).toMatchObject({ status: 200, body: { id, name: 'changed' } });
  });

  test('deletes versions and executions, stops running executions, and responds with ID and name', async () => {
    const { id, name } = await create();
    await api.call('POST', `/workflows/${id}/run`, { headers: { prefer: 'respond-async' } });
    const { status, body } = await api.call('DELETE', `/workflows/${id}`);
    expect(status).toBe(200);
    expect(body).toEqual({ id, name });
    expect((await api.call('GET', `/workflows/${id}`)).body.message).toBe(`workflow ${id} does not exist`);
    expect((await api.call('GET', `/executions?workflowId=${id}`)).body.data).toEqual([]);
    expect(await countVersions(id)).toBe(0);
    expect((await api.call('DELETE', `/workflows/${id}`)).status).toBe(404);
  });

  test('while runs start leaves no execution behind, and no start fails with a 5xx', async () => {
    const { id } = await create();
    const start = (body?: unknown) => api.call('POST', `/workflows/${id}/run`, { body, headers: { prefer: 'respond-async' } });
    const snapshot = { workflowData: { nodes: [], connections: {} } };
    const starts = Array.from({ length: 40 }, (_, i) => start(i % 2 ? snapshot : undefined));
    const deletion = api.call('DELETE', `/workflows/${id}`);
    const statuses = (await Promise.all(starts)).map((response) => response.status);
    expect((await deletion).status).toBe(200);
    expect(statuses.filter((status) => ![200, 404, 409].includes(status))).toEqual([]);
    const rows = await api.db.kysely.selectFrom('executions').select('id').where('workflow_id', '=', id).execute();
    expect(rows).toEqual([]);
  });
});

describe('projects', () => {
  test('an inaccessible workflow is 403, a missing workflow 404, and an insufficient role 403', async () => {
    const [reader, outsider] = [await api.newUser('member'), await api.newUser('member')];
    const team = await api.projects.createTeam({ name: 'team' });
    await api.projects.setMember(team.id, reader.user.id, 'project:viewer');
    const { id } = await create({ projectId: team.id });
    expect((await api.call('GET', `/workflows/${id}`, { key: reader.key })).status).toBe(200);
    for (const [method, path, body] of [
      ['PATCH', `/workflows/${id}`, { name: 'x' }],
      ['DELETE', `/workflows/${id}`, undefined],
      ['POST', `/workflows/${id}/run`, {}],
      ['POST', '/workflows', { ...aSmallWorkflow(), projectId: team.id }],
    ] as const) {
      expect((await api.call(method, path, { key: reader.key, body })).status).toBe(403);
      expect((await api.call(method, path, { key: outsider.key, body })).status).toBe(403);
    }
    expect((await api.call('GET', `/workflows/${id}`, { key: outsider.key })).status).toBe(403);
    expect((await api.call('GET', '/workflows', { key: outsider.key })).body.data).toEqual([]);
    expect((await api.call('GET', '/workflows/none', { key: outsider.key })).status).toBe(404);
    const unknownProject = { ...aSmallWorkflow(), projectId: 'none' };
    expect((await api.call('POST', '/workflows', { key: outsider.key, body: unknownProject })).status).toBe(404);
  });
});
