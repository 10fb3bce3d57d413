import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { randomId } from '@sluice/domain';
import { aSmallWorkflow } from '@sluice/test-support';
import { startTestApi } from './support/test-api.ts';

let id: string;

const api = await startTestApi();
const workflowId = (await api.call('POST', '/workflows', { body: aSmallWorkflow() })).body.id;
afterAll(() => api.close());
beforeEach(async () => {
  id = (await api.call('POST', `/workflows/${workflowId}/run`, { headers: { prefer: 'respond-async' } })).body.executionId;
});

async function tag(): Promise<string> {
  return (await api.call('POST', '/tags', { body: { name: randomId() } })).body.id;
}

const annotate = (annotation: unknown, options: { key?: string } = {}) =>
  api.call('PATCH', `/executions/${id}`, { body: { annotation }, ...options });

describe('annotation', () => {
  test('is stored, and returned wherever the execution is', async () => {
    const tags = [await tag(), await tag()];
    expect((await api.call('GET', `/executions/${id}`)).body.annotation).toEqual({ tags: [], vote: null });
    const { status, body } = await annotate({ tags, vote: 'up' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ id, workflowId, status: 'new', annotation: { tags, vote: 'up' } });
    expect(body).not.toHaveProperty('data');
    expect((await api.call('GET', `/executions/${id}`)).body).toEqual(body);
    const listed = await api.call('GET', `/executions?workflowId=${workflowId}&limit=1`);
    expect(listed.body.data[0].annotation).toEqual({ tags, vote: 'up' });
  });

  test('changes only the fields in the request', async () => {
    const [a, b] = [await tag(), await tag()];
    await annotate({ tags: [b, a, b], vote: 'down' });
    expect((await annotate({ vote: 'up' })).body.annotation).toEqual({ tags: [b, a], vote: 'up' });
    expect((await annotate({ tags: [a] })).body.annotation).toEqual({ tags: [a], vote: 'up' });
    expect((await annotate({})).body.annotation).toEqual({ tags: [a], vote: 'up' });
    expect((await annotate({ vote: null })).body.annotation).toEqual({ tags: [a], vote: null });
    expect((await annotate({ tags: [] })).body.annotation).toEqual({ tags: [], vote: null });
    const rows = await api.db.kysely.selectFrom('execution_annotations').selectAll().where('execution_id', '=', id).execute();
    expect(rows).toEqual([]);
  });

  test('survives a round trip: PATCH with the body of GET changes nothing', async () => {
    await annotate({ tags: [await tag()], vote: 'down' });
    for (const query of ['', '?includeData=true']) {
      const { body: before } = await api.call('GET', `/executions/${id}${query}`);
      const { status } = await api.call('PATCH', `/executions/${id}`, { body: before });
      expect(status).toBe(200);
      expect((await api.call('GET', `/executions/${id}${query}`)).body).toEqual(before);
    }
  });

  test('rejects unknown tags and invalid annotations', async () => {
    const knownTag = await tag();
    const refused = await annotate({ tags: [knownTag, 'none'], vote: 'up' });
    expect(refused).toMatchObject({ status: 400, body: { details: [{ path: '/annotation/tags/1' }] } });
    const bad = [
      null,
      [],
      'up',
      { vote: 'sideways' },
      { vote: 1 },
      { vote: ['up'] },
      { tags: knownTag },
      { tags: [1] },
      { tags: [null] },
      { tags: ['a\u0000'] },
      { tags: Array.from({ length: 1001 }, () => knownTag) },
    ];
    for (const annotation of bad) expect([annotation, (await annotate(annotation)).status]).toEqual([annotation, 400]);
    expect((await api.call('GET', `/executions/${id}`)).body.annotation).toEqual({ tags: [], vote: null });
  });

  test('is 404 for a missing execution, and 403 for an inaccessible one or an insufficient role', async () => {
    for (const unknown of ['999999999999', '0', 'x', '9223372036854775808']) {
      expect((await api.call('PATCH', `/executions/${unknown}`, { body: { annotation: {} } })).status).toBe(404);
    }
    const [viewer, outsider] = [await api.newUser('member'), await api.newUser('member')];
    const { body: workflow } = await api.call('GET', `/workflows/${workflowId}`);
    await api.projects.setMember(workflow.projectId, viewer.user.id, 'project:viewer');
    for (const { key } of [viewer, outsider]) expect((await annotate({ vote: 'up' }, { key })).status).toBe(403);
  });

  test('requires the scope execution:read', async () => {
    const { user } = await api.newUser('owner');
    const reader = await api.newKey(user.id, { scopes: ['execution:read'] });
    const lister = await api.newKey(user.id, { scopes: ['execution:list'] });
    expect((await annotate({ vote: 'up' }, { key: reader })).status).toBe(200);
    expect((await annotate({ vote: 'up' }, { key: lister })).body.details[0].message).toBe('execution:read');
  });

  test('loses a deleted tag, and is deleted with its execution', async () => {
    const [gone, keptTag] = [await tag(), await tag()];
    await annotate({ tags: [gone, keptTag] });
    await api.call('DELETE', `/tags/${gone}`);
    expect((await api.call('GET', `/executions/${id}`)).body.annotation.tags).toEqual([keptTag]);
    expect((await api.call('POST', '/executions/delete', { body: { ids: [id] } })).status).toBe(200);
    const rows = await api.db.kysely
      .selectFrom('execution_annotation_tags')
      .selectAll()
      .where('execution_id', '=', id)
      .execute();
    expect(rows).toEqual([]);
  });

  test('by concurrent requests stores one of them completely', async () => {
    const tags = await Promise.all([tag(), tag(), tag()]);
    const wanted = tags.map((one, i) => ({ tags: [one], vote: i % 2 ? 'up' : 'down' }));
    const responses = await Promise.all([...wanted, ...wanted, { tags: [], vote: null }].map((one) => annotate(one)));
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
    const { annotation } = (await api.call('GET', `/executions/${id}`)).body;
    expect([...wanted, { tags: [], vote: null }]).toContainEqual(annotation);
  });
});
