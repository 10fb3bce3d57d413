import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { executionModes, executionStatuses } from '@sluice/domain';
import { eventually, seedLists, type TestDatabase, testDatabase } from '@sluice/test-support';
import { type CompiledQuery, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { Access } from '../src/access.ts';
import { createDatabase, type Database } from '../src/connection/database.ts';
import { ExecutionRepository } from '../src/executions/execution-repository.ts';
import { GraphRepository } from '../src/executions/graphs/graph-repository.ts';
import { ExecutionListRepository } from '../src/executions/views/execution-list-repository.ts';
import { ExpiredRowRepository } from '../src/maintenance/expired-row-repository.ts';
import type { Tables } from '../src/tables/tables.ts';
import { WorkflowRepository } from '../src/workflows/workflow-repository.ts';
import { type PlanStep, planSteps } from './query-plan.ts';

const size = { executions: 50_000, workflows: 5_000, projects: 20 };
const limit = 101;
const second = 1_000;
const everyone = new Access('all');
const member = new Access(['project-3', 'project-7', 'project-19']);

let database: TestDatabase;
let pool: pg.Pool;
/** Queries that the repositories have sent, in order. */
let queries: CompiledQuery[] = [];
let db: Database;

beforeAll(async () => {
  database = await testDatabase();
  const seeding = createDatabase({ url: database.url, statementTimeoutMs: 0 });
  await seedLists(seeding, size);
  await seeding.close();
  pool = new pg.Pool({ connectionString: database.url });
  // the end of the tests does not wait for the connections, which are closed with the database
  pool.on('error', () => {});
  const kysely = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => void queries.push(query),
  });
  db = { ...database.db, kysely };
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** All plan steps of the queries that `read` sends. */
async function stepsOf(read: () => Promise<unknown>): Promise<PlanStep[]> {
  queries = [];
  await read();
  const steps: PlanStep[] = [];
  for (const { sql: text, parameters } of queries.filter((query) => !/^(explain|begin|commit)/i.test(query.sql))) {
    const explain = `EXPLAIN (ANALYZE, FORMAT json) ${text}`;
    const { rows } = await pool.query(explain, [...parameters]);
    steps.push(...planSteps(rows));
  }
  return steps;
}

/** Tables that grow. All others have few rows. */
const growing = new Set([
  'executions',
  'workflows',
  'workflow_graphs',
  'workflow_versions',
  'execution_annotations',
  'node_runs',
]);

function scanned(steps: readonly PlanStep[]): string[] {
  return steps.flatMap((step) => {
    const name = step['Relation Name'] ?? '';
    return step['Node Type'].includes('Seq Scan') && growing.has(name) ? [name] : [];
  });
}

/** Number of rows of `executions` that were read. */
function visited(steps: readonly PlanStep[]): number {
  const ofExecutions = steps.filter((step) => step['Relation Name'] === 'executions');
  return ofExecutions.reduce(
    (sum, step) => sum + (step['Actual Rows'] + (step['Rows Removed by Filter'] ?? 0)) * step['Actual Loops'],
    0,
  );
}

const middle = new Date(Date.now() - (size.executions / 2) * 8 * second);
const filters: [string, Parameters<ExecutionListRepository['page']>[0]][] = [
  ['no filter', {}],
  ...executionStatuses.map((status): [string, object] => [`status=${status}`, { statuses: [status] }]),
  ['several statuses', { statuses: ['error', 'crashed', 'waiting'] }],
  ...executionModes.map((mode): [string, object] => [`mode=${mode}`, { mode }]),
  ['workflowId', { workflowId: 'workflow-1' }],
  ['workflowId and status', { workflowId: 'workflow-1', statuses: ['crashed'] }],
  ['projectId', { projectId: 'project-7' }],
  ['projectId and status', { projectId: 'project-7', statuses: ['waiting'] }],
  ['startedAfter', { startedAfter: middle }],
  ['startedAfter, lately', { startedAfter: new Date(Date.now() - 600 * second) }],
  ['startedBefore', { startedBefore: middle }],
  ['startedBefore and status', { startedBefore: middle, statuses: ['error'] }],
];

describe.each([
  ['a user who sees everything', everyone],
  ['a member of three projects', member],
])('GET /executions for %s', (_, access) => {
  test.each(filters)('%s: a page reads a small part, and never scans a whole table', async (_name, filter) => {
    const steps = await stepsOf(() => new ExecutionListRepository(db.kysely).page(filter, access, { limit }));
    expect(scanned(steps)).toEqual([]);
    expect(visited(steps)).toBeLessThan(size.executions / 10);
  });

  test.each(filters)('%s: the count never scans a whole table', async (_name, filter) => {
    const steps = await stepsOf(() => new ExecutionListRepository(db.kysely).count(filter, access));
    expect(scanned(steps)).toEqual([]);
  });

  test('a page far from the newest does not cost more', async () => {
    const steps = await stepsOf(() => new ExecutionListRepository(db.kysely).page({}, access, { limit, beforeId: '5000' }));
    expect(scanned(steps)).toEqual([]);
    expect(visited(steps)).toBeLessThan(size.executions / 10);
  });

  test('counting running executions', async () => {
    expect(scanned(await stepsOf(() => new ExecutionListRepository(db.kysely).countRunning(access)))).toEqual([]);
  });
});

describe('other reads', () => {
  test('GET /executions/:id', async () => {
    expect(scanned(await stepsOf(() => new ExecutionRepository(db).getShown('4321', everyone)))).toEqual([]);
  });

  test.each<[string, Parameters<WorkflowRepository['list']>[0]]>([
    ['no filter', {}],
    ['name', { name: 'LOW 99' }],
    ['a name without a match', { name: 'zzz' }],
    ['active', { active: true }],
    ['tags', { tagIds: ['tag-4'] }],
    ['projectId', { projectId: 'project-7' }],
  ])('GET /workflows: %s', async (_, filter) => {
    for (const access of [everyone, member]) {
      const workflows = new WorkflowRepository(db.kysely);
      expect(scanned(await stepsOf(() => workflows.list(filter, access, { limit })))).toEqual([]);
    }
  });
});

describe('graphs that no version uses', () => {
  const graph = { hash: 'h', json: '{}', bytes: 2, timeoutMs: null, priority: null, foreignTypes: null, credentialIds: null };
  const errorWorkflowId = () => null;

  beforeAll(async () => {
    await pool.query(`INSERT INTO workflow_graphs (workflow_id, hash, content, bytes, check_at)
      SELECT 'workflow-1', 'unused-' || n, '{}', 2, now() - interval '1 minute' FROM generate_series(1, 5000) AS n`);
    await pool.query(`INSERT INTO executions (workflow_id, project_id, graph_hash, status, mode, stopped_at)
      SELECT w.id, w.project_id, 'unused-' || n, 'success', 'manual', now() FROM workflows w, generate_series(1, 5000, 2) AS n
      WHERE w.id = 'workflow-1'`);
    await pool.query('ANALYZE');
  });

  test('are checked and deleted without a read of the executions of their workflow', async () => {
    const steps = await stepsOf(() => new ExpiredRowRepository(db.kysely).deleteUnusedGraphs());
    expect(scanned(steps)).toEqual([]);
    expect(visited(steps)).toBeLessThanOrEqual(40);
    const indexes = new Set(steps.map((step) => step['Index Name']));
    expect([...indexes]).toEqual(
      expect.arrayContaining(['workflow_graphs_check', 'workflow_versions_graph', 'executions_unversioned']),
    );
  });

  test('are stored with a lookup by key', async () => {
    const graphs = new GraphRepository(db.kysely);
    expect(scanned(await stepsOf(() => graphs.store('workflow-2', { ...graph, errorWorkflowId })))).toEqual([]);
  });
});

describe('a filter by name', () => {
  const list = async (name: string) =>
    (await new WorkflowRepository(database.db.kysely).list({ name }, everyone, { limit })).workflows.map(
      (workflow) => workflow.name,
    );

  beforeAll(async () => {
    const names: [string, string][] = [
      ['workflow-1', 'Ä-Überweisung 100% fällig'],
      ['workflow-2', 'a_b😀c'],
    ];
    for (const [id, name] of names) await pool.query('UPDATE workflows SET name = $2 WHERE id = $1', [id, name]);
  });

  test.each([
    ['überWEISUNG', 'Ä-Überweisung 100% fällig'],
    ['ä-', 'Ä-Überweisung 100% fällig'],
    ['0% F', 'Ä-Überweisung 100% fällig'],
    ['A_B', 'a_b😀c'],
    ['b😀C', 'a_b😀c'],
    ['😀', 'a_b😀c'],
  ])('%s matches exactly the names that contain it, ignoring case', async (part, name) => {
    expect(await list(part)).toEqual([name]);
  });

  test.each(['%%%', '___', 'a%c', 'überweisung  100'])('%s finds nothing', async (part) => {
    expect(await list(part)).toEqual([]);
  });
});

describe('a list of a time range', () => {
  test('has an exact count up to 10,000 and an estimate above', async () => {
    const list = new ExecutionListRepository(database.db.kysely);
    const startOf = (id: number) => new Date(Date.now() - (size.executions - id) * 8 * second);
    const period = async (from: number, to: number) => {
      const filter = { startedAfter: startOf(from), startedBefore: startOf(to) };
      const { rows } = await pool.query(
        'SELECT count(*)::int AS n FROM executions WHERE coalesce(started_at, created_at) BETWEEN $1 AND $2',
        [filter.startedAfter, filter.startedBefore],
      );
      return { exact: rows[0].n as number, counted: await list.count(filter, everyone) };
    };
    for (const to of [20_100, 29_900]) {
      const { exact, counted } = await period(20_000, to);
      expect(counted).toEqual({ count: exact, estimated: false });
    }
    for (const to of [30_200, 45_000]) {
      const { counted } = await period(20_000, to);
      expect(counted.estimated).toBe(true);
      expect(counted.count).toBeGreaterThan(10_000);
    }
  });

  const at = (id: number) => new Date(Date.now() - (size.executions - id) * 8 * second);

  test('uses an estimate while it is recounted, until there are few enough for an exact count', async () => {
    const list = new ExecutionListRepository(database.db.kysely);
    const filter = { startedAfter: at(5_000), startedBefore: at(15_100) };
    expect((await list.count(filter, everyone)).estimated).toBe(true);
    await pool.query('DELETE FROM executions WHERE id BETWEEN 6000 AND 6999');
    await eventually(async () => expect(await list.count(filter, everyone)).toMatchObject({ estimated: false }));
    const { count } = await list.count(filter, everyone);
    expect(count).toBeGreaterThan(9_000);
    expect(count).toBeLessThan(10_000);
  });

  test('includes every execution that started in the range, even after a long wait', async () => {
    await database.db.kysely
      .updateTable('executions')
      .set({ started_at: at(40_000), stopped_at: at(40_001) })
      .where('id', '=', '10')
      .execute();
    const filter = { startedAfter: at(39_990), startedBefore: at(40_010) };
    const page = await new ExecutionListRepository(database.db.kysely).page(filter, everyone, { limit });
    const { rows } = await pool.query(
      'SELECT id FROM executions WHERE coalesce(started_at, created_at) BETWEEN $1 AND $2 ORDER BY id DESC',
      [filter.startedAfter, filter.startedBefore],
    );
    expect(page.map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
    expect(page.at(-1)?.id).toBe('10');
  });
});
