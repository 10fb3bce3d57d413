import { createHash } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { ExecutionStatus } from '@sluice/domain';
import { aSmallWorkflow, eventually, longestBusy, testDatabase } from '@sluice/test-support';
import { sql } from 'kysely';
import { Access } from '../src/access.ts';
import { ensureBootstrap } from '../src/bootstrap.ts';
import { encodeGraph } from '../src/executions/graphs/graph-repository.ts';
import type { Workflow } from '../src/workflows/workflow.ts';
import { WorkflowRepository } from '../src/workflows/workflow-repository.ts';

const everything = new Access('all');

const database = await testDatabase();
const workflows = new WorkflowRepository(database.db.kysely);
const authorId = (await ensureBootstrap(database.db.kysely, { bootstrapApiKey: null })).ownerId;
const projectId = (await database.db.kysely.selectFrom('projects').select('id').executeTakeFirstOrThrow()).id;
afterAll(() => database.drop());

function create(changes: { id?: string; name?: string } = {}): Promise<Workflow> {
  const graph = { ...aSmallWorkflow(), name: changes.name ?? 'w' };
  return workflows.create({ id: changes.id, projectId, graph, staticData: null, meta: null, authorId }, everything);
}

/**
 * Resolves to the result and the longest time in milliseconds that the work blocked the event loop.
 */
async function busyDuring<T>(work: () => Promise<T>): Promise<[T, number]> {
  const results: T[] = [];
  const busy = await longestBusy(async () => results.push(await work()));
  return [results[0] as T, busy];
}

const keep = (current: Workflow) => ({ graph: current.graph, staticData: current.staticData });

describe('WorkflowRepository', () => {
  test('reads only what the access allows', async () => {
    const { id } = await create();
    const outside = new Access(['other']);
    await expect(workflows.get(id, outside)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(workflows.getHead(id, outside)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(workflows.update(id, outside, authorId, everything, keep)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(workflows.delete(id, outside)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect((await workflows.list({}, outside, { limit: 10 })).workflows).toEqual([]);
    expect((await workflows.list({}, new Access([]), { limit: 10 })).workflows).toEqual([]);
    expect(await workflows.listSummaries({}, outside, { limit: 10 })).toEqual([]);
    await expect(workflows.get('none', outside)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await workflows.get(id, new Access([projectId]))).id).toBe(id);
  });

  test('accepts an ID only once, even in concurrent requests', async () => {
    const results = await Promise.allSettled([create({ id: 'mine' }), create({ id: 'mine' })]);
    expect(results.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected']);
    const failed = results.find((result) => result.status === 'rejected');
    expect(failed?.reason.message).toBe('workflow with id mine exists already');
  });

  test('a save updates updatedAt, and a save without changes creates no version', async () => {
    const created = await create();
    const saved = await workflows.update(created.id, everything, authorId, everything, keep);
    expect(saved.versionId).toBe(created.versionId);
    expect(BigInt(saved.updatedAtUs)).toBeGreaterThan(BigInt(created.updatedAtUs));
    expect(saved.createdAtUs).toBe(created.createdAtUs);
  });

  test('restoring an old graph creates a new version that reuses the stored graph', async () => {
    const created = await create();
    const changed = await workflows.update(created.id, everything, authorId, everything, ({ graph }) => ({
      graph: { ...graph, name: 'x' },
      staticData: null,
    }));
    const back = await workflows.update(created.id, everything, authorId, everything, () => ({
      graph: created.graph,
      staticData: null,
    }));
    expect(new Set([created.versionId, changed.versionId, back.versionId]).size).toBe(3);
    expect(back.graphHash).toBe(created.graphHash);
    expect(back.graphHash).toBe((await encodeGraph(created.graph)).hash);
  });

  test('900,000 pinned items never block the event loop, and the hash equals the hash of the plain text', async () => {
    const items = Array.from({ length: 900_000 }, () => ({ json: {} }));
    const graph = { ...aSmallWorkflow(), name: 'pinned', pinData: { A: items } };
    const saving = () => workflows.create({ projectId, graph, staticData: null, meta: null, authorId }, everything);
    const [created, creating] = await busyDuring(saving);
    const { name, nodes, connections, settings, pinData } = graph;
    const text = JSON.stringify({ name, nodes, connections, settings, pinData });
    expect(created.graphHash).toBe(createHash('sha256').update(text).digest('base64url'));
    const [, updating] = await busyDuring(() => workflows.update(created.id, everything, authorId, everything, keep));
    const [workflow, reading] = await busyDuring(() => workflows.get(created.id, everything));
    expect(JSON.stringify(workflow.graph.pinData)).toBe(JSON.stringify(pinData));
    const [, listing] = await busyDuring(() => workflows.list({}, everything, { limit: 10 }));
    expect(Math.max(creating, updating, reading, listing)).toBeLessThan(250);
  });

  test('stored data with more keys than a request may have remains readable', async () => {
    const staticData = Object.fromEntries(Array.from({ length: 100_001 }, (_, i) => [`k${i}`, i]));
    const created = await workflows.create(
      { projectId, graph: aSmallWorkflow(), staticData, meta: null, authorId },
      everything,
    );
    expect(created.staticData).toEqual(staticData);
  });

  test('a revision that throws changes nothing', async () => {
    const created = await create();
    const refuse = () => {
      throw new Error('no');
    };
    await expect(workflows.update(created.id, everything, authorId, everything, refuse)).rejects.toThrow('no');
    expect(await workflows.get(created.id, everything)).toEqual(created);
  });

  test('a deletion removes the history in batches, then the remaining executions with the workflow', async () => {
    const { id, graphHash } = await create();
    const { kysely } = database.db;
    await sql`INSERT INTO executions (workflow_id, project_id, graph_hash, status, mode, stopped_at)
      SELECT ${id}, ${projectId}, ${graphHash}, s.status, 'trigger', CASE WHEN s.status <> 'waiting' THEN now() END
      FROM (SELECT CASE n % 1500 WHEN 0 THEN 'waiting' ELSE 'success' END AS status FROM generate_series(1, 4500) AS n) AS s`.execute(
      kysely,
    );
    const count = async (status: ExecutionStatus) => {
      const query = kysely.selectFrom('executions').select('id').where('workflow_id', '=', id).where('status', '=', status);
      return (await query.execute()).length;
    };
    const executions = kysely
      .selectFrom('executions')
      .select('id')
      .where('workflow_id', '=', id)
      .where('status', '=', 'success');
    const deleted = await kysely.transaction().execute(async (tx) => {
      await tx.selectFrom('executions').select('id').where('id', 'in', executions.orderBy('id').limit(1)).forUpdate().execute();
      const deletion = workflows.delete(id, everything);
      await eventually(async () => (await count('success')) === 1);
      expect([await count('waiting'), (await workflows.getHead(id, everything)).id]).toEqual([3, id]);
      return { deletion };
    });
    expect((await deleted.deletion).canceled).toHaveLength(3);
    expect([await count('success'), await count('waiting'), await count('canceled')]).toEqual([0, 0, 0]);
    await expect(workflows.getHead(id, everything)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('pages have no gaps or duplicates, even among rows with the same timestamp', async () => {
    const { kysely } = database.db;
    await kysely.deleteFrom('workflows').execute();
    const ids = ['a', 'b', 'c', 'd', 'e'];
    await kysely.transaction().execute(async (tx) => {
      for (const id of ids)
        await new WorkflowRepository(tx).create(
          {
            id,
            projectId,
            graph: aSmallWorkflow(),
            staticData: null,
            meta: null,
            authorId,
          },
          everything,
        );
    });
    const seen: string[] = [];
    let after: { createdAtUs: string; id: string } | undefined;
    for (let { workflows: page } = await workflows.list({}, everything, { limit: 2 }); page.length > 0; ) {
      seen.push(...page.map((workflow) => workflow.id));
      after = page.at(-1);
      page = (await workflows.list({}, everything, { limit: 2, after })).workflows;
    }
    expect(seen).toEqual([...ids].reverse());
  });

  test('a page of large workflows ends early and reports that, and the next page continues after it', async () => {
    await database.db.kysely.deleteFrom('workflows').execute();
    const megabytes = { first: 1, second: 16, third: 16, fourth: 1 };
    for (const [id, size] of Object.entries(megabytes)) {
      const staticData = { text: 'x'.repeat(size * 1024 * 1024) };
      await workflows.create({ id, projectId, graph: aSmallWorkflow(), staticData, meta: null, authorId }, everything);
    }
    const page = await workflows.list({}, everything, { limit: 4 });
    expect([page.workflows.map(({ id }) => id), page.cut]).toEqual([['fourth', 'third', 'second'], true]);
    const summaries = await workflows.listSummaries({}, everything, { limit: 4 });
    expect(summaries.map(({ id }) => id)).toEqual(['fourth', 'third', 'second', 'first']);
    const [{ graph: _, staticData: __, meta: ___, ...newest } = await workflows.get('fourth', everything)] = page.workflows;
    expect(summaries[0]).toEqual(newest);
    const rest = await workflows.list({}, everything, { limit: 4, after: page.workflows.at(-1) });
    expect([rest.workflows.map(({ id }) => id), rest.cut]).toEqual([['first'], false]);
    expect(rest.workflows[0]).toEqual(await workflows.get('first', everything));
  });
});
