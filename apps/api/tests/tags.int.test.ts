import { afterAll, describe, expect, test } from '@jest/globals';
import { randomId } from '@sluice/domain';
import { aSmallWorkflow, eventually } from '@sluice/test-support';
import { sql } from 'kysely';
import { startTestApi } from './support/test-api.ts';

const api = await startTestApi();
afterAll(() => api.close());

async function tag(name = randomId()): Promise<{ id: string; name: string }> {
  const { status, body } = await api.call('POST', '/tags', { body: { name } });
  expect(status).toBe(201);
  return body;
}

async function create(changes: object = {}) {
  const { status, body } = await api.call('POST', '/workflows', { body: { ...aSmallWorkflow(), ...changes } });
  expect(status).toBe(201);
  return body;
}

describe('tags', () => {
  test('used by other projects cannot be renamed or deleted', async () => {
    const { key } = await api.newUser('member');
    const changes = (id: string) => [
      () => api.call('PATCH', `/tags/${id}`, { key, body: { name: randomId() } }),
      () => api.call('DELETE', `/tags/${id}`, { key }),
    ];
    const ofWorkflow = await tag();
    await create({ tags: [ofWorkflow.id] });
    const ofExecution = await tag();
    const { body: run } = await api.call('POST', `/workflows/${(await create()).id}/run`, { body: {} });
    const annotation = { tags: [ofExecution.id] };
    expect((await api.call('PATCH', `/executions/${run.executionId}`, { body: { annotation } })).status).toBe(200);
    for (const { id, name } of [ofWorkflow, ofExecution]) {
      for (const change of changes(id)) expect(await change()).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
      expect((await api.call('GET', `/tags/${id}`, { key })).body).toMatchObject({ id, name });
    }

    const own = await tag();
    await api.call('POST', '/workflows', { key, body: { ...aSmallWorkflow(), tags: [own.id] } });
    for (const change of changes(own.id)) expect((await change()).status).toBe(200);
  });

  test('are not deleted if another project starts to use them concurrently', async () => {
    const { key } = await api.newUser('member');
    const [{ id }, workflow] = [await tag(), await create()];
    const { deleting } = await api.db.kysely.transaction().execute(async (tx) => {
      await tx.insertInto('workflow_tags').values({ workflow_id: workflow.id, tag_id: id, position: 0 }).execute();
      const response = api.call('DELETE', `/tags/${id}`, { key });
      await eventually(async () => {
        const { rows } = await sql`SELECT FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock' AND query ILIKE '%tags%'`.execute(api.db.kysely);
        return rows.length > 0;
      });
      return { deleting: response };
    });
    expect((await deleting).status).toBe(403);
    expect((await api.call('GET', `/workflows/${workflow.id}`)).body).toMatchObject({ tags: [id] });
  });

  test('are created, read, renamed, and deleted', async () => {
    const created = await tag('prod');
    expect(created).toEqual({
      id: expect.any(String),
      name: 'prod',
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect((await api.call('GET', `/tags/${created.id}`)).body).toEqual(created);
    const renamed = await api.call('PATCH', `/tags/${created.id}`, { body: { ...created, name: 'production' } });
    expect(renamed).toMatchObject({ status: 200, body: { id: created.id, name: 'production' } });
    expect((await api.call('DELETE', `/tags/${created.id}`)).body).toMatchObject({ id: created.id, name: 'production' });
    for (const method of ['GET', 'DELETE']) expect((await api.call(method, `/tags/${created.id}`)).status).toBe(404);
    expect((await api.call('PATCH', `/tags/${created.id}`, { body: { name: 'x' } })).status).toBe(404);
    expect((await api.call('GET', '/tags/..%2fworkflows')).status).toBe(404);
  });

  test('have unique names, even for concurrent requests', async () => {
    const name = randomId();
    const responses = await Promise.all(Array.from({ length: 4 }, () => api.call('POST', '/tags', { body: { name } })));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    const other = await tag();
    expect(await api.call('PATCH', `/tags/${other.id}`, { body: { name } })).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT' },
    });
    expect((await api.call('PATCH', `/tags/${other.id}`, { body: { name: other.name } })).status).toBe(200);
  });

  test('have names of 1 to 128 code points without commas or surrounding spaces', async () => {
    for (const name of ['', ' ', 'x'.repeat(129), 'a,b', ' a', 'a ', 'a\n', '\u00a0a', 'a\u0000', '\ud800', 5, null, ['a']]) {
      expect([name, (await api.call('POST', '/tags', { body: { name } })).status]).toEqual([name, 400]);
    }
    expect((await api.call('POST', '/tags', { body: {} })).status).toBe(400);
    await tag('\u{1f600}'.repeat(128));
    await tag("'; drop table tags; --");
    await tag('__proto__');
    await tag('a  b');
    await tag('x');
  });

  test('are listed newest first, in pages', async () => {
    const ids = [await tag(), await tag(), await tag()].map(({ id }) => id).reverse();
    const first = await api.call('GET', '/tags?limit=2');
    expect(first.body.data.map((t: { id: string }) => t.id)).toEqual(ids.slice(0, 2));
    const second = await api.call('GET', `/tags?limit=1&cursor=${first.body.nextCursor}`);
    expect(second.body.data[0].id).toBe(ids[2]);
    const { body: workflows } = await api.call('GET', '/workflows?limit=1');
    for (const cursor of ['x', workflows.nextCursor ?? 'y']) {
      expect((await api.call('GET', `/tags?cursor=${cursor}`)).status).toBe(400);
    }
  });

  test('require workflow:list to read and workflow:update to change', async () => {
    const { user } = await api.newUser('member');
    const reader = await api.newKey(user.id, { scopes: ['workflow:list'] });
    const writer = await api.newKey(user.id, { scopes: ['workflow:update'] });
    const { id } = await tag();
    expect((await api.call('GET', '/tags', { key: reader })).status).toBe(200);
    expect((await api.call('GET', '/tags', { key: writer })).status).toBe(403);
    expect((await api.call('POST', '/tags', { key: reader, body: { name: randomId() } })).status).toBe(403);
    expect((await api.call('PATCH', `/tags/${id}`, { key: writer, body: { name: randomId() } })).status).toBe(200);
    expect((await api.call('DELETE', `/tags/${id}`, { key: writer })).status).toBe(200);
  });
});

describe('tags of workflows', () => {
  test('are ordered IDs without duplicates in requests and responses', async () => {
    const [a, b, c] = [(await tag()).id, (await tag()).id, (await tag()).id];
    const workflow = await create({ tags: [c, a, c] });
    expect(workflow.tags).toEqual([c, a]);
    const { body: changed } = await api.call('PATCH', `/workflows/${workflow.id}`, { body: { tags: [a, b, c] } });
    expect(changed).toMatchObject({ tags: [a, b, c], versionId: workflow.versionId });
    const { body: same } = await api.call('PATCH', `/workflows/${workflow.id}`, { body: { name: 'other' } });
    expect(same.tags).toEqual([a, b, c]);
    expect((await api.call('GET', `/workflows?tags=`)).body.data[0].tags).toEqual([a, b, c]);
    const { body: none } = await api.call('PATCH', `/workflows/${workflow.id}`, { body: { tags: [] } });
    expect(none.tags).toEqual([]);
  });

  test('are 400 with their paths if they do not exist, and nothing is written', async () => {
    const { id } = await tag();
    const refused = await api.call('POST', '/workflows', {
      body: { ...aSmallWorkflow(), id: 'refused', tags: [id, 'none', 'x'] },
    });
    expect(refused.status).toBe(400);
    expect(refused.body.details.map((issue: { path: string }) => issue.path)).toEqual(['/tags/1', '/tags/2']);
    expect((await api.call('GET', '/workflows/refused')).status).toBe(404);
    const workflow = await create({ tags: [id] });
    const patched = await api.call('PATCH', `/workflows/${workflow.id}`, { body: { name: 'x', tags: ['none'] } });
    expect(patched.status).toBe(400);
    expect((await api.call('GET', `/workflows/${workflow.id}`)).body).toEqual(workflow);
    for (const tags of ['x', [1], [null], ['a\u0000'], {}]) {
      expect((await api.call('PATCH', `/workflows/${workflow.id}`, { body: { tags } })).status).toBe(400);
    }
  });

  test('are removed when the tag is deleted', async () => {
    const [keptTag, gone] = [await tag(), await tag()];
    const workflow = await create({ tags: [gone.id, keptTag.id] });
    await api.call('DELETE', `/tags/${gone.id}`);
    expect((await api.call('GET', `/workflows/${workflow.id}`)).body.tags).toEqual([keptTag.id]);
  });

  test('filter lists by name, and all given tags must match', async () => {
    const [a, b] = [await tag(`a ${randomId()}`), await tag(`b-${randomId()}`)];
    const [both, onlyA] = [await create({ tags: [b.id, a.id] }), await create({ tags: [a.id] })];
    const ids = async (tags: string) => {
      const { body } = await api.call('GET', `/workflows?tags=${encodeURIComponent(tags)}`);
      return body.data.map((w: { id: string }) => w.id);
    };
    expect(await ids(a.name)).toEqual([onlyA.id, both.id]);
    expect(await ids(`${a.name}, ${b.name},${a.name}`)).toEqual([both.id]);
    expect(await ids(`${a.name},none`)).toEqual([]);
    expect(await ids(a.id)).toEqual([]);
    const page = await api.call('GET', `/workflows?limit=1&tags=${encodeURIComponent(a.name)}`);
    const next = await api.call('GET', `/workflows?limit=1&tags=${encodeURIComponent(a.name)}&cursor=${page.body.nextCursor}`);
    expect(next.body).toMatchObject({ data: [{ id: both.id }], nextCursor: null });
    const many = Array.from({ length: 51 }, (_, i) => `t${i}`).join(',');
    expect((await api.call('GET', `/workflows?tags=${many}`)).status).toBe(400);
  });

  test('can be changed and deleted by concurrent requests without an error', async () => {
    const newTags = [await tag(), await tag(), await tag(), await tag()];
    const workflow = await create({ tags: newTags.map(({ id }) => id) });
    const patch = (tags: string[]) => api.call('PATCH', `/workflows/${workflow.id}`, { body: { tags } });
    const [first, second, third, fourth] = newTags.map(({ id }) => id) as [string, string, string, string];
    const responses = await Promise.all([
      patch([second, first]),
      api.call('DELETE', `/tags/${first}`),
      patch([first, third]),
      patch([fourth, third, second]),
      api.call('DELETE', `/tags/${second}`),
      patch([third]),
    ]);
    expect(responses.map(({ status }) => status).filter((status) => ![200, 400, 409].includes(status))).toEqual([]);
    const { tags } = (await api.call('GET', `/workflows/${workflow.id}`)).body;
    expect([first, second].filter((id) => tags.includes(id))).toEqual([]);
  });
});

describe('round trip', () => {
  test('PATCH with the exact body of GET changes only updatedAt, even for an active workflow with tags', async () => {
    const tags = [(await tag()).id, (await tag()).id];
    const { id } = await create({
      tags,
      pinData: { Set: [{ json: { a: '\u0000' } }] },
      staticData: { n: 1 },
      meta: { m: [1] },
      settings: { executionOrder: 'v1', timezone: 'Europe/Berlin', mine: { x: null } },
    });
    await api.call('POST', `/workflows/${id}/activate`);
    await api.call('PATCH', `/workflows/${id}`, { body: { name: 'newer than the active one' } });
    const { body: before } = await api.call('GET', `/workflows/${id}`);
    const { status, body: after } = await api.call('PATCH', `/workflows/${id}`, { body: before });
    expect(status).toBe(200);
    expect({ ...after, updatedAt: null, warnings: [] }).toEqual({ ...before, updatedAt: null, warnings: [] });
    const { body: versions } = await api.call('GET', `/workflows/${id}/versions`);
    expect(versions.data).toHaveLength(2);
  });

  test('POST with the body of GET and another ID creates the same workflow as inactive', async () => {
    const original = await create({ tags: [(await tag()).id], meta: { m: 1 } });
    await api.call('POST', `/workflows/${original.id}/activate`);
    const { body: exported } = await api.call('GET', `/workflows/${original.id}`);
    const copy = await create({ ...exported, id: 'a-copy' });
    const { id: _, versionId, activeVersionId, createdAt, updatedAt, active, ...same } = copy;
    expect(original).toMatchObject(same);
    expect({ active, activeVersionId }).toEqual({ active: false, activeVersionId: null });
    expect([versionId, createdAt, updatedAt]).toEqual([expect.any(String), expect.any(String), expect.any(String)]);
  });
});
