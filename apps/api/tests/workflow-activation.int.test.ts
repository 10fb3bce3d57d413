import { afterAll, describe, expect, test } from '@jest/globals';
import { aNode, aSmallWorkflow } from '@sluice/test-support';
import { startTestApi } from './support/test-api.ts';

const api = await startTestApi();
afterAll(() => api.close());

async function create(changes: object = {}) {
  const { status, body } = await api.call('POST', '/workflows', { body: { ...aSmallWorkflow(), ...changes } });
  expect(status).toBe(201);
  return body;
}

const activate = (id: string, options: { body?: unknown; key?: string } = {}) =>
  api.call('POST', `/workflows/${id}/activate`, options);
const deactivate = (id: string, key?: string) => api.call('POST', `/workflows/${id}/deactivate`, key ? { key } : {});
const rename = (id: string, name: string) => api.call('PATCH', `/workflows/${id}`, { body: { name } });

describe('activation', () => {
  test('activates the newest version by default, and every response shows it', async () => {
    const { id, versionId } = await create();
    const { status, body: activated } = await activate(id);
    const { warnings: _, ...body } = activated;
    expect(status).toBe(200);
    expect(body).toMatchObject({ id, active: true, versionId, activeVersionId: versionId });
    expect((await api.call('GET', `/workflows/${id}`)).body).toEqual(body);
    const { body: listed } = await api.call('GET', '/workflows?active=true');
    expect(listed.data).toContainEqual(body);
  });

  test('keeps the version active when the workflow is saved, until the next activation', async () => {
    const { id, versionId } = await create();
    await activate(id);
    const { body: saved } = await rename(id, 'two');
    expect(saved).toMatchObject({ active: true, activeVersionId: versionId });
    expect(saved.versionId).not.toBe(versionId);
    expect((await activate(id)).body).toMatchObject({ activeVersionId: saved.versionId });
    expect((await activate(id, { body: { versionId } })).body).toMatchObject({ activeVersionId: versionId });
  });

  test('of the active version is 200 and changes nothing', async () => {
    const { id } = await create();
    const first = await activate(id);
    const again = await activate(id, { body: {} });
    expect(again.status).toBe(200);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
  });

  test('does not require a trigger node but warns that nothing starts the workflow', async () => {
    const webhook = { name: 'W', type: 'base.webhook', parameters: { path: 'warned' } };
    for (const nodes of [[], [aNode({ name: 'a', type: 'no.such' })], [aNode({ ...webhook, disabled: true })]]) {
      const { id } = await create({ nodes, connections: {} });
      const { status, body } = await activate(id);
      expect([status, body.active]).toEqual([200, true]);
      expect(body.warnings).toContainEqual(expect.objectContaining({ code: 'NO_TRIGGER' }));
      expect((await api.call('GET', `/workflows/${id}`)).body).not.toHaveProperty('warnings');
    }
    const { body } = await activate((await create({ nodes: [aNode(webhook)], connections: {} })).id);
    expect([body.active, body.warnings]).toEqual([true, undefined]);
  });

  test('labels the version and keeps omitted fields', async () => {
    const { id, versionId } = await create();
    await activate(id, { body: { name: 'release 1', description: 'the first' } });
    await activate(id, { body: { name: 'release 1.1' } });
    const { body } = await api.call('GET', `/workflows/${id}/versions/${versionId}`);
    expect(body).toMatchObject({ id: versionId, name: 'release 1.1', description: 'the first', active: true });
  });

  test('changes the ETag, so that an update based on the previous state is rejected', async () => {
    const { id } = await create();
    const etag = (await api.call('GET', `/workflows/${id}`)).headers.get('etag') as string;
    expect((await activate(id)).headers.get('etag')).not.toBe(etag);
    const stale = await api.call('PATCH', `/workflows/${id}`, { body: { name: 'x' }, headers: { 'if-match': etag } });
    expect(stale).toMatchObject({ status: 409, body: { code: 'VERSION_CONFLICT' } });
  });

  test('is 404 for a missing version or a version of another workflow, and 403 for an inaccessible workflow', async () => {
    const { user, key } = await api.newUser('member');
    const [mine, theirs] = [await api.call('POST', '/workflows', { key, body: aSmallWorkflow() }), await create()];
    const { body: other } = await api.call('POST', '/workflows', { key, body: aSmallWorkflow() });
    expect(user.role).toBe('member');
    for (const [versionId, status] of [
      ['none', 404],
      [other.versionId, 404],
      [theirs.versionId, 403],
    ]) {
      expect((await activate(mine.body.id, { key, body: { versionId } })).status).toBe(status);
    }
    expect((await api.call('GET', `/workflows/${mine.body.id}`)).body.active).toBe(false);
  });

  test('is 404 for a missing workflow, and 403 for an inaccessible workflow or an insufficient role', async () => {
    const [reader, outsider] = [await api.newUser('member'), await api.newUser('member')];
    const team = await api.projects.createTeam({ name: 'team' });
    await api.projects.setMember(team.id, reader.user.id, 'project:viewer');
    const { id } = await create({ projectId: team.id });
    for (const act of ['activate', 'deactivate']) {
      expect((await api.call('POST', `/workflows/none/${act}`)).status).toBe(404);
      for (const { key } of [reader, outsider])
        expect((await api.call('POST', `/workflows/${id}/${act}`, { key })).status).toBe(403);
    }
  });

  test('requires its own scope', async () => {
    const { user } = await api.newUser('owner');
    const { id } = await create();
    const key = await api.newKey(user.id, { scopes: ['workflow:activate'] });
    expect((await activate(id, { key })).status).toBe(200);
    const refused = await deactivate(id, key);
    expect(refused).toMatchObject({ status: 403, body: { details: [{ path: 'scope', message: 'workflow:deactivate' }] } });
  });

  test('rejects an unknown version and an invalid label', async () => {
    const { id } = await create();
    const bodies = [
      { versionId: 1 },
      { versionId: null },
      { versionId: 'a\u0000' },
      { name: '' },
      { name: ' ' },
      { name: 'x'.repeat(129) },
      { name: '\ud800' },
      { description: 5 },
      { description: 'a\u0000' },
      [],
      'x',
    ];
    for (const body of bodies) expect([body, (await activate(id, { body })).status]).toEqual([body, 400]);
    expect((await activate(id, { body: { name: '\u{1f600}'.repeat(128), unknown: 1 } })).status).toBe(200);
  });

  test('by concurrent requests activates one of their versions', async () => {
    const { id, versionId } = await create();
    const versions = [versionId];
    for (let i = 0; i < 3; i++) versions.push((await rename(id, `v${i}`)).body.versionId);
    const responses = await Promise.all([
      ...versions.map((version) => activate(id, { body: { versionId: version } })),
      ...versions.map((_, i) => rename(id, `w${i}`)),
      deactivate(id),
    ]);
    expect(responses.map((response) => response.status)).toEqual(responses.map(() => 200));
    const { body } = await api.call('GET', `/workflows/${id}`);
    expect(body.active).toBe(body.activeVersionId !== null);
    if (body.active) expect(versions).toContain(body.activeVersionId);
  });
});

describe('deactivation', () => {
  test('removes the active version and is 200 for an inactive workflow', async () => {
    const { id } = await create();
    await activate(id);
    const first = await deactivate(id);
    expect(first.body).toMatchObject({ active: false, activeVersionId: null });
    const again = await deactivate(id);
    expect(again).toMatchObject({ status: 200, body: first.body });
  });
});

describe('versions', () => {
  test('are listed in pages, newest first', async () => {
    const { id, versionId } = await create();
    const versionIds = [versionId];
    for (const name of ['two', 'three', 'four']) versionIds.unshift((await rename(id, name)).body.versionId);
    await activate(id, { body: { versionId: versionIds[1], name: 'live' } });
    const first = await api.call('GET', `/workflows/${id}/versions?limit=3`);
    expect(first.body.data.map((v: { id: string }) => v.id)).toEqual(versionIds.slice(0, 3));
    expect(first.body.data.map((v: { number: number }) => v.number)).toEqual([4, 3, 2]);
    expect(first.body.data[1]).toMatchObject({ workflowId: id, name: 'live', description: null, active: true });
    expect(first.body.data.filter((v: { active: boolean }) => v.active)).toHaveLength(1);
    const second = await api.call('GET', `/workflows/${id}/versions?limit=3&cursor=${first.body.nextCursor}`);
    expect(second.body).toMatchObject({ data: [{ id: versionId, number: 1 }], nextCursor: null });
  });

  test('can be found by number', async () => {
    const { id, versionId } = await create();
    const second = (await rename(id, 'two')).body.versionId;
    const numbered = async (number: number) => (await api.call('GET', `/workflows/${id}/versions?number=${number}`)).body;
    expect(await numbered(1)).toMatchObject({ data: [{ id: versionId, number: 1 }], nextCursor: null });
    expect(await numbered(2)).toMatchObject({ data: [{ id: second, number: 2 }], nextCursor: null });
    expect(await numbered(3)).toEqual({ data: [], nextCursor: null });
  });

  test('that were saved at the same time are listed in the order of saving', async () => {
    const { id } = await create();
    await Promise.all(Array.from({ length: 8 }, (_, i) => rename(id, `name ${i}`)));
    const { body } = await api.call('GET', `/workflows/${id}/versions`);
    expect(body.data).toHaveLength(9);
    expect(body.data[0].id).toBe((await api.call('GET', `/workflows/${id}`)).body.versionId);
  });

  test('have the graph that was saved, with and without pinned data', async () => {
    const pinData = { Set: [{ json: { a: 1 } }] };
    const { id, versionId, nodes, connections } = await create({ pinData, settings: { executionOrder: 'v1' } });
    await api.call('PATCH', `/workflows/${id}`, { body: { name: 'later', nodes: [], connections: {}, pinData: null } });
    const { body } = await api.call('GET', `/workflows/${id}/versions/${versionId}`);
    const { name } = aSmallWorkflow();
    expect(body).toMatchObject({
      number: 1,
      workflowName: name,
      nodes,
      connections,
      pinData,
      settings: { executionOrder: 'v1' },
    });
    const without = await api.call('GET', `/workflows/${id}/versions/${versionId}?excludePinnedData=true`);
    expect(without.body).not.toHaveProperty('pinData');
  });

  test('are 403 for an inaccessible workflow and 404 if they do not exist', async () => {
    const { key } = await api.newUser('member');
    const [{ id, versionId }, other] = [await create(), await create()];
    expect((await api.call('GET', `/workflows/${id}/versions`, { key })).status).toBe(403);
    expect((await api.call('GET', `/workflows/${id}/versions/${versionId}`, { key })).status).toBe(403);
    expect((await api.call('GET', '/workflows/none/versions')).status).toBe(404);
    expect((await api.call('GET', `/workflows/${id}/versions/none`)).status).toBe(404);
    expect((await api.call('GET', `/workflows/${id}/versions/..%2f..`)).status).toBe(404);
    expect((await api.call('GET', `/workflows/${id}/versions/${other.versionId}`)).status).toBe(404);
    for (const query of ['limit=0', 'limit=251', 'cursor=x', 'number=0', 'number=x']) {
      expect((await api.call('GET', `/workflows/${id}/versions?${query}`)).status).toBe(400);
    }
  });
});
