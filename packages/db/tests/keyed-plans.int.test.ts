import { afterAll, expect, test } from '@jest/globals';
import { seedLists, testDatabase } from '@sluice/test-support';
import pg from 'pg';
import { Access } from '../src/access.ts';
import { type Database, keyedPlans, type PreparedStatement } from '../src/connection/database.ts';
import { ExecutionRecorder } from '../src/executions/attempts/execution-recorder.ts';
import { QueuedExecutionRepository } from '../src/executions/queue/queued-execution-repository.ts';
import { ExecutionStarter } from '../src/executions/start/execution-starter.ts';
import { RunDataRepository } from '../src/executions/views/run-data-repository.ts';
import { WebhookResponseRepository } from '../src/executions/waits/webhook-response-repository.ts';
import { WebhookRouteRepository } from '../src/triggers/webhook-route-repository.ts';
import { type PlanStep, planSteps } from './query-plan.ts';

const database = await testDatabase();
const client = new pg.Client({ connectionString: database.url, options: keyedPlans });
await client.connect();
await client.query('SET plan_cache_mode = force_generic_plan');

afterAll(async () => {
  await client.end();
  await database.drop();
});

const ref = { executionId: '1', attempt: 1 };
const run = { ...ref, seq: 0, nodeName: 'Set', runIndex: 0, failed: false, startTime: 0, executionTime: 0, json: '{}' };

/** The statements that `use` sends to an empty database. */
async function statementsOf(use: (db: Database) => Promise<unknown>): Promise<PreparedStatement[]> {
  const statements: PreparedStatement[] = [];
  const query = async (statement: PreparedStatement) => {
    statements.push(statement);
    return [];
  };
  await use({ ...database.db, query } as Database);
  return statements;
}

/**
 * Uses the statements of a claim, a node run, an end, a start, a webhook request, and a response
 * with data.
 */
async function useHotStatements(db: Database): Promise<void> {
  const recorder = new ExecutionRecorder(db, () => '00000000-0000-0000-0000-000000000000');
  const starter = new ExecutionStarter(db);
  const execution = { workflowId: 'w', access: new Access('all'), graphHash: null, mode: 'webhook', userId: null } as const;
  await Promise.allSettled([
    recorder.claim(ref),
    recorder.runUnclaimed({ ...ref, graphHash: 'h' }),
    recorder.append([run]),
    recorder.finish({ ...ref, status: 'success', retryOf: null, error: null }),
    starter.start(execution),
    new WebhookRouteRepository(db).find(['a', 'b']),
    new WebhookResponseRepository(db).read('1', { lastRun: true }),
    new WebhookResponseRepository(db).store(ref, '{}'),
    new RunDataRepository(db).readShownRuns('1', () => undefined),
  ]);
  await recorder.finish({ ...ref, status: 'success', retryOf: '2', error: null });
}

/**
 * Tables that are empty in most installations. The statements only check whether they have a row.
 */
const rarelyFilled = ['worker_types', 'execution_limits'];

/**
 * The steps of the generic plan that Postgres makes for all parameters. `EXPLAIN (GENERIC_PLAN)`
 * would need Postgres 16.
 */
async function stepsOf(text: string): Promise<PlanStep[]> {
  const parameters = Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));
  const nulls = Array.from({ length: parameters }, () => 'NULL').join(', ');
  await client.query(`PREPARE checked AS ${text}`);
  const { rows } = await client.query(`EXPLAIN (FORMAT json) EXECUTE checked${nulls && `(${nulls})`}`);
  await client.query('DEALLOCATE checked');
  return planSteps(rows);
}

/** States of the tables when Postgres makes the plans, in this order. */
const states: Record<string, () => Promise<void>> = {
  'were empty': async () => undefined,
  // Postgres then assumes no rows in the inputs, node runs, and triggers, rather than ten pages.
  'had been analyzed while executions had no input': () =>
    seedLists(database.db, { executions: 1_000, workflows: 100, projects: 2 }),
};

test.each(Object.entries(states))(
  'plans that were made when tables %s find executions by ID and all other rows by index',
  async (_, reach) => {
    await reach();
    const statements = await statementsOf(useHotStatements);
    expect(statements.map(({ name, byKey }) => byKey && name).toSorted()).toEqual([
      'append-node-runs',
      'claim-executions',
      'find-routes',
      'finish-executions',
      'finish-retries',
      'insert-executions-if-unlocked',
      'read-computing-executions',
      'read-webhook-response',
      'sized-node-runs',
      'store-webhook-response',
    ]);
    for (const { name, text } of statements) {
      const steps = await stepsOf(text);
      const scans = steps.filter((step) => /Scan$/.test(step['Node Type']) && step['Relation Name'] !== undefined);
      const ofExecutions = scans.filter((step) => step['Relation Name'] === 'executions');
      expect({ name, indexes: ofExecutions.filter((step) => step['Index Name'] !== 'executions_pkey') }).toEqual({
        name,
        indexes: [],
      });
      // A bitmap scan uses an index. An index can also be scanned completely, without a condition.
      const isWhole = (step: PlanStep) => step['Node Type'] !== 'Bitmap Heap Scan' && step['Index Cond'] === undefined;
      const whole = scans.filter((step) => isWhole(step) && !rarelyFilled.includes(step['Relation Name'] ?? ''));
      expect({ name, whole }).toEqual({ name, whole: [] });
      expect({ name, joins: steps.filter((step) => /^(Hash|Merge) Join$/.test(step['Node Type'])) }).toEqual({
        name,
        joins: [],
      });
    }
  },
);

test('the oldest queued executions are found by index, without sorting, regardless of the number queued', async () => {
  const queued = (db: Database) => new QueuedExecutionRepository(db);
  const statements = await statementsOf(async (db) => {
    await queued(db).listWorkflows(200);
    await queued(db).take([{ projectId: 'p', workflowId: 'w', count: 1 }], 200);
  });
  expect(statements.map(({ name, byKey }) => byKey && name)).toEqual(['list-queued-workflows', 'take-queued-executions']);
  for (const { name, text } of statements) {
    const steps = await stepsOf(text);
    const indexes = steps.filter((step) => step['Relation Name'] === 'executions').map((step) => step['Index Name']);
    expect({ name, indexes: indexes.filter((index) => index && index !== 'executions_pkey') }).toEqual({
      name,
      indexes: name.startsWith('list') ? ['executions_queued', 'executions_queued'] : ['executions_queued'],
    });
    // Postgres may sort the few node types that it compares.
    const sorts = steps.filter((step) => step['Sort Key']?.some((key) => key.includes('queued_at')));
    expect({ name, sorts }).toEqual({ name, sorts: [] });
  }
});
