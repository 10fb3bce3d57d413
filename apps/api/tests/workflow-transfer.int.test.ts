import { afterAll, describe, expect, test } from '@jest/globals';
import { type ProjectRole, randomId } from '@sluice/domain';
import { aNode, aSmallWorkflow } from '@sluice/test-support';
import { startTestApi } from './support/test-api.ts';

const api = await startTestApi();
afterAll(() => api.close());

async function team(...members: [string, ProjectRole][]): Promise<string> {
  const { id } = await api.projects.createTeam({ name: 'team' });
  for (const [userId, role] of members) await api.projects.setMember(id, userId, role);
  return id;
}

async function create(projectId: string, changes: object = {}): Promise<string> {
  const { status, body } = await api.call('POST', '/workflows', { body: { ...aSmallWorkflow(), ...changes, projectId } });
  expect(status).toBe(201);
  return body.id;
}

const transfer = (id: string, body: unknown, key?: string) =>
  api.call('PUT', `/workflows/${id}/transfer`, { body, ...(key ? { key } : {}) });

async function run(id: string): Promise<string> {
  return (await api.call('POST', `/workflows/${id}/run`, { headers: { prefer: 'respond-async' } })).body.executionId;
}

describe('transfer', () => {
  test('moves the workflow and its executions to the destination, and returns 204 without a body', async () => {
    const { user, key } = await api.newUser('member');
    const { user: other, key: otherKey } = await api.newUser('member');
    const source = await team([user.id, 'project:admin']);
    const destination = await team([user.id, 'project:editor'], [other.id, 'project:viewer']);
    const id = await create(source);
    const executionId = await run(id);
    expect((await api.call('GET', `/executions/${executionId}`, { key: otherKey })).status).toBe(403);
    const response = await transfer(id, { destinationProjectId: destination }, key);
    expect([response.status, response.body]).toEqual([204, null]);
    expect((await api.call('GET', `/workflows/${id}`, { key: otherKey })).body.projectId).toBe(destination);
    expect((await api.call('GET', `/executions/${executionId}`, { key: otherKey })).status).toBe(200);
    const listed = await api.call('GET', `/executions?projectId=${destination}`, { key: otherKey });
    expect(listed.body).toMatchObject({ data: [{ id: executionId }], count: 1 });
    expect((await api.call('GET', `/executions?projectId=${source}`, { key })).body).toMatchObject({ data: [], count: 0 });
    const row = await api.db.kysely.selectFrom('executions').select('project_id').where('id', '=', executionId).execute();
    expect(row).toEqual([{ project_id: destination }]);
  });

  test('changes only the ETag of the workflow', async () => {
    const destination = await team();
    const id = await create(await team(), { pinData: { Set: [{ json: {} }] } });
    await api.call('POST', `/workflows/${id}/activate`);
    const before = await api.call('GET', `/workflows/${id}`);
    await transfer(id, { destinationProjectId: destination });
    const after = await api.call('GET', `/workflows/${id}`);
    expect(after.body).toEqual({ ...before.body, projectId: destination, updatedAt: after.body.updatedAt });
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
  });

  test('to the current project is 204', async () => {
    const source = await team();
    const id = await create(source);
    expect((await transfer(id, { destinationProjectId: source })).status).toBe(204);
    expect((await api.call('GET', `/workflows/${id}`)).body.projectId).toBe(source);
  });

  test('requires project:admin in the source and project:editor in the destination', async () => {
    const roles: [ProjectRole | undefined, ProjectRole | undefined, number][] = [
      ['project:editor', 'project:admin', 403],
      ['project:viewer', 'project:admin', 403],
      [undefined, 'project:admin', 403],
      ['project:admin', 'project:viewer', 403],
      ['project:admin', undefined, 403],
      ['project:admin', 'project:editor', 204],
    ];
    for (const [atSource, atDestination, status] of roles) {
      const { user, key } = await api.newUser('member');
      const [source, destination] = [
        await team(...(atSource ? [[user.id, atSource] as [string, ProjectRole]] : [])),
        await team(...(atDestination ? [[user.id, atDestination] as [string, ProjectRole]] : [])),
      ];
      const id = await create(source);
      expect((await transfer(id, { destinationProjectId: destination }, key)).status).toBe(status);
      const { body } = await api.call('GET', `/workflows/${id}`);
      expect(body.projectId).toBe(status === 204 ? destination : source);
    }
  });

  test('of a workflow, or into a project, that does not exist is 404', async () => {
    const id = await create(await team());
    expect((await transfer('none', { destinationProjectId: await team() })).status).toBe(404);
    expect((await transfer(id, { destinationProjectId: 'none' })).status).toBe(404);
  });

  test('rejects invalid bodies', async () => {
    const [id, destinationProjectId] = [await create(await team()), await team()];
    for (const body of [
      undefined,
      {},
      { destinationProjectId: null },
      { destinationProjectId: 5 },
      { destinationProjectId: 'a\u0000' },
      { destinationProjectId, shareCredentials: 'yes' },
      [],
    ]) {
      expect([body, (await transfer(id, body)).status]).toEqual([body, 400]);
    }
  });

  test('requires the scope workflow:update, and credential:share for sharing', async () => {
    const { user } = await api.newUser('owner');
    const [id, destinationProjectId] = [await create(await team()), await team()];
    const reader = await api.newKey(user.id, { scopes: ['workflow:read'] });
    const writer = await api.newKey(user.id, { scopes: ['workflow:update'] });
    expect((await transfer(id, { destinationProjectId }, reader)).body.details[0].message).toBe('workflow:update');
    const sharing = await transfer(id, { destinationProjectId, shareCredentials: true }, writer);
    expect(sharing).toMatchObject({ status: 403, body: { details: [{ path: 'scope', message: 'credential:share' }] } });
    expect((await transfer(id, { destinationProjectId }, writer)).status).toBe(204);
  });

  test('by concurrent requests, while it runs and changes, leaves the workflow in one project with all its executions', async () => {
    const targets = await Promise.all([team(), team(), team()]);
    const id = await create(await team());
    const responses = await Promise.all([
      ...targets.map((destinationProjectId) => transfer(id, { destinationProjectId })),
      ...Array.from({ length: 10 }, () => api.call('POST', `/workflows/${id}/run`, { headers: { prefer: 'respond-async' } })),
      ...targets.map((_, i) => api.call('PATCH', `/workflows/${id}`, { body: { name: `n${i}` } })),
      ...targets.map(() => api.call('POST', `/workflows/${id}/activate`)),
    ]);
    expect(responses.map(({ status }) => status).filter((status) => status !== 200 && status !== 204)).toEqual([]);
    const { projectId } = (await api.call('GET', `/workflows/${id}`)).body;
    expect(targets).toContain(projectId);
    const { body } = await api.call('GET', `/executions?workflowId=${id}`);
    expect(body.count).toBe(10);
    for (const other of targets.filter((target) => target !== projectId)) {
      expect((await api.call('GET', `/executions?projectId=${other}`)).body.data).toEqual([]);
    }
  });
});

describe('shareCredentials', () => {
  async function credential(projectId: string): Promise<string> {
    const data = { user: 'u', password: 'p' };
    const body = { name: randomId(), type: 'httpBasicAuth', data, projectId };
    const response = await api.call('POST', '/credentials', { body });
    expect(response.status).toBe(201);
    return response.body.id;
  }

  async function sharedWith(projectId: string): Promise<string[]> {
    const shares = api.db.kysely.selectFrom('credential_shares').select('credential_id').where('project_id', '=', projectId);
    return (await shares.execute()).map((row) => row.credential_id);
  }

  const naming = (...ids: (string | null)[]) => {
    const nodes = ids.map((id, i) => aNode({ name: `n${i}`, type: 't', credentials: { httpBasicAuth: { id, name: 'c' } } }));
    return { nodes, connections: {} };
  };

  test('shares the credentials that the nodes use, if they belong to the source project', async () => {
    const [source, destination, elsewhere] = [await team(), await team(), await team()];
    const [owned, foreign, unnamed] = [await credential(source), await credential(elsewhere), await credential(source)];
    const id = await create(source, naming(owned, owned, foreign, null, 'gone'));
    expect((await transfer(id, { destinationProjectId: destination, shareCredentials: true })).status).toBe(204);
    expect(await sharedWith(destination)).toEqual([owned]);
    expect(unnamed).toEqual(expect.any(String));
  });

  test('is off by default', async () => {
    const [source, destination] = [await team(), await team()];
    const id = await create(source, naming(await credential(source)));
    expect((await transfer(id, { destinationProjectId: destination })).status).toBe(204);
    expect(await sharedWith(destination)).toEqual([]);
  });

  test('is rejected without an enterprise license, and nothing is transferred', async () => {
    const community = await startTestApi({ LICENSE: 'community' });
    try {
      const { body: workflow } = await community.call('POST', '/workflows', { body: aSmallWorkflow() });
      const { id: destinationProjectId } = await community.projects.createTeam({ name: 'team' });
      const path = `/workflows/${workflow.id}/transfer`;
      const refused = await community.call('PUT', path, { body: { destinationProjectId, shareCredentials: true } });
      expect(refused).toMatchObject({ status: 403, body: { code: 'LICENSE_REQUIRED' } });
      expect((await community.call('GET', `/workflows/${workflow.id}`)).body.projectId).toBe(workflow.projectId);
      expect((await community.call('PUT', path, { body: { destinationProjectId } })).status).toBe(204);
    } finally {
      await community.close();
    }
  });
});
