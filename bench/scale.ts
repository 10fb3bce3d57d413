import { Agent } from 'node:http';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { createDatabase, type Database, ExecutionRetentionRepository, ensureBootstrap, migrateToLatest } from '@sluice/db';
import { seedLists } from '@sluice/test-support';
import { sql } from 'kysely';
import { Fleet, ownerKey } from './fleet.ts';
import { load, loadTarget } from './http-load.ts';
import { cancelLive } from './seed.ts';
import { startStack } from './stack.ts';
import { enqueueToStart } from './starts.ts';
import { median, percentile, round } from './statistics.ts';
import { throughputCases } from './throughput-cases.ts';

/*
 * The effect of table sizes. The same work with 10,000 and with 20,000,000 stored executions of
 * 10,000 workflows, each with one node run: executions per second of webhook → set, milliseconds
 * from enqueue to start and of lists, rows per second that retention deletes in batches, then the
 * duration of VACUUM and the sizes of tables and indices. `--rows 200000` makes a trial run.
 * 20,000,000 rows take 30 GB of disk space and half an hour.
 */
const { values: options } = parseArgs({ options: { rows: { type: 'string', default: '20000000' } } });
const sizes = [10_000, Number(options.rows)];
const paths = ['/executions?limit=100', '/executions?limit=100&status=error', '/executions?limit=100&projectId=project-3'];
const [rounds, perRound, singles, deletedRows] = [5, 2_000, 200, 20_000];
/** Only the measurement deletes executions. */
const env = { EXECUTION_RETENTION_DAYS: 'success=0,error=0,canceled=0,crashed=0' };

const progress = (text: string) => process.stderr.write(`bench: ${text}\n`);
const results = [];
for (const rows of sizes) results.push(await measureAt(rows));
const machine = { cpu: cpus()[0]?.model, cores: cpus().length, node: process.version };
process.stdout.write(`${JSON.stringify({ machine, results }, undefined, 2)}\n`);
process.exit(0);

async function measureAt(rows: number) {
  const stack = await startStack();
  try {
    progress(`seeding ${rows} executions`);
    const seededSeconds = await seconds(() => seed(stack.databaseUrl, rows));
    const fleet = await Fleet.start(stack, { workers: 1, env });
    try {
      progress('measuring');
      const starts = await measureStarts(fleet);
      const lists = await measureLists(fleet);
      const deletedPerSecond = round(deletedRows / (await seconds(() => deleteRows(fleet.db))), 0);
      return { rows, seededSeconds: round(seededSeconds, 0), ...starts, lists, deletedPerSecond, ...(await storage(fleet.db)) };
    } finally {
      await fleet.stop();
    }
  } finally {
    await stack.stop();
  }
}

/**
 * Fills the tables without triggers, constraints, and indices, then creates the indices: with them,
 * it would take hours.
 */
async function seed(url: string, rows: number): Promise<void> {
  const db = createDatabase({ url, poolSize: 1, statementTimeoutMs: 0 });
  await migrateToLatest(db);
  await ensureBootstrap(db.kysely, { bootstrapApiKey: ownerKey });
  const { rows: indices } = await sql<{ name: string; definition: string }>`
    SELECT indexname AS name, indexdef AS definition FROM pg_indexes
    WHERE tablename = 'executions' AND indexname NOT IN (SELECT conname FROM pg_constraint)`.execute(db.kysely);
  for (const { name } of indices) await sql`DROP INDEX ${sql.id(name)}`.execute(db.kysely);
  await sql`SET session_replication_role = replica`.execute(db.kysely);
  await seedLists(db, { executions: rows, workflows: 10_000, projects: 20 });
  await sql`INSERT INTO node_runs (execution_id, seq, node_name, run_index, failed, data)
    SELECT id, 0, 'Node', 0, false, convert_to(repeat(md5(id::text), 6), 'UTF8') FROM executions`.execute(db.kysely);
  await cancelLive(db);
  progress('indices');
  for (const { definition } of indices) await sql.raw(definition).execute(db.kysely);
  await sql`VACUUM ANALYZE`.execute(db.kysely);
  await db.close();
}

/**
 * Executions per second under load, and milliseconds from enqueue to start of single executions.
 */
async function measureStarts(fleet: Fleet) {
  const id = await fleet.activate({ name: 'set', settings: {}, ...throughputCases['set'] });
  const target = loadTarget(fleet.port, 'POST', '/webhook/set', { body: { n: 21 } });
  const rates: number[] = [];
  for (let i = 0; i <= rounds; i += 1) {
    const duration = await seconds(async () => {
      await load(target, perRound, 50);
      await ended(fleet.db, id);
    });
    if (i > 0) rates.push(perRound / duration); // the first round is a warm-up
  }
  const waits = await enqueueToStart(fleet, 'set', singles);
  return { executionsPerSecond: round(median(rates), 0), enqueueToStartMs: figures(waits) };
}

async function ended({ kysely }: Database, workflowId: string): Promise<void> {
  const live = kysely.selectFrom('executions').select('id').where('workflow_id', '=', workflowId);
  while (await live.where('status', 'in', ['new', 'running', 'waiting']).limit(1).executeTakeFirst()) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function measureLists(fleet: Fleet) {
  const agent = new Agent({ keepAlive: true });
  const lists: Record<string, ReturnType<typeof figures>> = {};
  for (const path of paths) {
    const times: number[] = [];
    for (let i = 0; i < 100; i += 1) times.push(1_000 * (await seconds(() => fleet.call('GET', `/api/v1${path}`, {}, agent))));
    lists[path] = figures(times);
  }
  agent.destroy();
  return lists;
}

async function deleteRows({ kysely }: Database): Promise<void> {
  const days = { success: 14, error: 14, canceled: 14, crashed: 14 };
  const batch = 1_000;
  const retention = new ExecutionRetentionRepository(kysely, { days, maxPerProject: 0 }, { batch });
  const range = { where: sql<boolean>`e.stopped_at IS NOT NULL`, beforeId: '9223372036854775807' };
  let afterId: Parameters<typeof retention.deleteSome>[1] | undefined = '0';
  for (let deleted = 0; deleted < deletedRows && afterId !== undefined; deleted += batch)
    afterId = await retention.deleteSome(range, afterId);
}

/** Duration of VACUUM in seconds, and gigabytes of each table and its indices. */
async function storage(db: Database) {
  const vacuumSeconds = round(await seconds(() => sql`VACUUM executions, node_runs`.execute(db.kysely)), 1);
  const { rows } = await sql<{ name: string; bytes: string }>`
    SELECT relname AS name, pg_relation_size(oid) AS bytes FROM pg_class
    WHERE relname IN ('executions', 'node_runs') OR oid IN (SELECT indexrelid FROM pg_index
      WHERE indrelid IN ('executions'::regclass, 'node_runs'::regclass)) ORDER BY relname`.execute(db.kysely);
  return { vacuumSeconds, gigabytes: Object.fromEntries(rows.map(({ name, bytes }) => [name, round(Number(bytes) / 1e9, 3)])) };
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1_000;
}

function figures(times: readonly number[]) {
  return { p50: round(percentile(times, 0.5)), p95: round(percentile(times, 0.95)), p99: round(percentile(times, 0.99)) };
}
