import { Agent } from 'node:http';
import { cpus } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createDatabase, type Database, ExecutionRetentionRepository } from '@sluice/db';
import { createLogger } from '@sluice/logger';
import { ExecutionPruner } from '@sluice/worker';
import { sql } from 'kysely';
import { endChild } from './children.ts';
import { fleetSettings, ownerKey } from './fleet.ts';
import { startProgram } from './program.ts';
import { request } from './request-rate.ts';
import { seedDatabase, seedSizes } from './seed.ts';
import { startStack } from './stack.ts';
import { percentile, round } from './statistics.ts';

/*
 * The effect of pruning on API clients: latencies of lists and of single executions, when the
 * system is idle and while a pruner deletes 1,000,000 ended executions with two node runs each.
 * `--rows 50000` makes a short run.
 */
const { values: options } = parseArgs({ options: { rows: { type: 'string', default: '1000000' } } });
const rows = Number(options.rows);
const idleSeconds = 30;
/**
 * More than `rows`, because some seeded executions are not deleted: 10% are annotated, and those of
 * the last 14 days, one every 8 seconds, are too recent.
 */
const executions = Math.ceil(rows / 0.9) + (14 * 86_400) / 8;
const days = { success: 14, error: 14, canceled: 14, crashed: 14 };
const paths = [
  '/executions?limit=100',
  '/executions?limit=100&status=error',
  `/executions/${executions - 100}`,
  '/workflows?limit=50',
];

const progress = (text: string) => process.stderr.write(`bench: ${text}\n`);
const stack = await startStack();
const db = createDatabase({ url: stack.databaseUrl, poolSize: 2, statementTimeoutMs: 0 });
try {
  progress(`seeding ${executions} executions`);
  await seedDatabase(stack.databaseUrl, { ...seedSizes.large, executions }, ownerKey);
  await seedNodeRuns(db);
  const api = await startProgram('api', fleetSettings(stack));
  await measure(api.port, delay(5_000)); // warm-up
  progress('idle');
  const idle = await measure(api.port, delay(idleSeconds * 1_000));
  progress('pruning');
  const before = await count(db);
  const startedAt = performance.now();
  const pruned = await measure(api.port, prune(db));
  const seconds = (performance.now() - startedAt) / 1_000;
  const deleted = before - (await count(db));
  await endChild(api.child);
  const machine = { cpu: cpus()[0]?.model, cores: cpus().length, node: process.version };
  const p95Ratio = round(percentile(pruned, 0.95) / percentile(idle, 0.95));
  const report = {
    machine,
    executions,
    deleted,
    deletedPerSecond: round(deleted / seconds, 0),
    idle: figures(idle),
    pruning: figures(pruned),
    p95Ratio,
    within: p95Ratio <= 2,
  };
  process.stdout.write(`${JSON.stringify(report, undefined, 2)}\n`);
} finally {
  await db.close();
  await stack.stop();
}
process.exit(0);

async function seedNodeRuns({ kysely }: Database): Promise<void> {
  progress('seeding node runs');
  await sql`INSERT INTO node_runs (execution_id, seq, node_name, run_index, failed, data)
    SELECT e.id, seq, 'Node ' || seq, 0, false, convert_to(repeat(md5(e.id::text), 16), 'UTF8')
    FROM executions e, generate_series(0, 1) AS seq WHERE e.status <> 'new'`.execute(kysely);
  await sql`VACUUM ANALYZE`.execute(kysely);
}

/** One pruning round of a worker: deletes everything that is due. */
async function prune({ kysely }: Database): Promise<void> {
  const logger = createLogger({ name: 'bench', level: 'warn' });
  await new ExecutionPruner({
    executionRetention: new ExecutionRetentionRepository(kysely, { days, maxPerProject: 50_000 }),
    logger,
  }).round();
}

/**
 * Milliseconds of each request of two clients, which pause after each request, until `work` is
 * done.
 */
async function measure(port: number, work: Promise<unknown>): Promise<number[]> {
  const agent = new Agent({ keepAlive: true });
  const times: number[] = [];
  let isDone = false;
  const client = async (first: number) => {
    for (let i = first; !isDone; i += 1) {
      const startedAt = performance.now();
      await request({ port, path: `/api/v1${paths[i % paths.length]}`, headers: { 'x-service-api-key': ownerKey } }, agent);
      times.push(performance.now() - startedAt);
      await delay(10);
    }
  };
  const clients = [client(0), client(2)];
  await work;
  isDone = true;
  await Promise.all(clients);
  agent.destroy();
  return times;
}

async function count({ kysely }: Database): Promise<number> {
  const { rows: counted } = await sql<{ n: string }>`SELECT count(*) AS n FROM executions`.execute(kysely);
  return Number(counted[0]?.n);
}

function figures(times: readonly number[]) {
  return { requests: times.length, p50Ms: round(percentile(times, 0.5)), p95Ms: round(percentile(times, 0.95)) };
}
