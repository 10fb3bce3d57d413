import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { createDatabase } from '@sluice/db';
import { withDatabaseName } from '@sluice/test-support';
import { sql } from 'kysely';
import { endChild, startBareExpress } from './children.ts';
import { fleetSettings, ownerKey } from './fleet.ts';
import { listCases } from './list-cases.ts';
import { startProgram } from './program.ts';
import { request, requestRate, type Target } from './request-rate.ts';
import { seedDatabase, seedSizes } from './seed.ts';
import { startStack } from './stack.ts';
import { median, percentile, round } from './statistics.ts';

/*
 * The cost of lists with 10,000 and with 1,000,000 executions of 10,000 workflows:
 *
 *   database  milliseconds of all database queries of one request, one request at a time: medians
 *             and 99th percentiles
 *   requests  GET /executions?limit=100 and GET /workflows?limit=100 per second, compared with bare
 *             Express routes that send the same bytes or an empty list; the targets alternate
 *
 * `--quick` makes a trial run with 100,000 instead of 1,000,000 executions. `--calls 2500` gives a
 * more stable 99th percentile. `--only 'by id|projectId'` measures only the database cases whose
 * names match; `--only requests` measures only the requests.
 */
const { values: options } = parseArgs({
  options: { quick: { type: 'boolean' }, calls: { type: 'string' }, only: { type: 'string', default: '' } },
});
const { quick, only } = options;
const calls = Number(options.calls ?? (quick ? 50 : 500));
const rounds = quick ? 1 : 5;
const load = { seconds: quick ? 2 : 5, connections: 32 };
const sizes = { ...seedSizes, ...(quick && { large: { ...seedSizes.large, executions: 100_000 } }) };

const progress = (text: string) => process.stderr.write(`bench: ${text}\n`);
const stack = await startStack();
try {
  const databases = { small: await seeded('small'), large: await seeded('large') };
  progress('database');
  const database = await measureDatabase(databases);
  progress('requests');
  const requests = only === '' || only === 'requests' ? await measureRequests(databases.large) : undefined;
  const { executions } = sizes.large;
  const machine = { cpu: cpus()[0]?.model, cores: cpus().length, node: process.version };
  process.stdout.write(`${JSON.stringify({ machine, executions, calls, rounds, database, requests }, undefined, 2)}\n`);
} finally {
  await stack.stop();
}
process.exit(0);

/** Creates and seeds a database in the stack's Postgres; resolves to its URL. */
async function seeded(name: keyof typeof seedSizes): Promise<string> {
  progress(`seeding ${sizes[name].executions} executions`);
  const admin = createDatabase({ url: stack.databaseUrl });
  await sql`CREATE DATABASE ${sql.id(name)}`.execute(admin.kysely);
  await admin.close();
  const url = withDatabaseName(stack.databaseUrl, name);
  await seedDatabase(url, sizes[name], ownerKey);
  return url;
}

/**
 * Alternates between the two databases, so that changes in the machine's speed affect both equally.
 */
async function measureDatabase(urls: Record<'small' | 'large', string>) {
  const small = createDatabase({ url: urls.small });
  const large = createDatabase({ url: urls.large });
  const largeCases = listCases(large, sizes.large.executions);
  const report: Record<string, unknown> = {};
  for (const [name, runSmall] of listCases(small, sizes.small.executions)) {
    if (!new RegExp(only).test(name)) continue;
    const runLarge = largeCases.get(name) ?? runSmall;
    const times = { small: [] as number[], large: [] as number[] };
    for (let i = -50; i < calls; i += 1) {
      const [atSmall, atLarge] = [await timed(runSmall), await timed(runLarge)];
      if (i < 0) continue; // warm-up
      times.small.push(atSmall);
      times.large.push(atLarge);
    }
    report[name] = { small: figures(times.small), large: figures(times.large) };
  }
  await small.close();
  await large.close();
  return report;
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await run();
  return performance.now() - startedAt;
}

function figures(times: readonly number[]) {
  return { medianMs: round(median(times)), p99Ms: round(percentile(times, 0.99)) };
}

async function measureRequests(databaseUrl: string) {
  const api = await startProgram('api', fleetSettings({ ...stack, databaseUrl }));
  const empty = await startBareExpress('{"data":[]}');
  const report: Record<string, unknown> = {};
  for (const list of ['executions', 'workflows']) {
    const path = `/api/v1/${list}?limit=100`;
    const ours: Target = { port: api.port, path, headers: { 'x-service-api-key': ownerKey } };
    const bytes = await request(ours);
    const same = await startBareExpress(bytes);
    const targets = { ours, bareExpress: { port: same.port, path }, emptyExpress: { port: empty.port, path } };
    const rates = await alternate(targets);
    await endChild(same.child);
    report[list] = {
      bytes: bytes.length,
      perSecond: rates,
      'of bare': round(rates.ours / rates.bareExpress, 3),
      'of empty': round(rates.ours / rates.emptyExpress, 3),
    };
  }
  await Promise.all([endChild(api.child), endChild(empty.child)]);
  return report;
}

/** Median requests per second of each target. The targets alternate in each round. */
async function alternate<Name extends string>(targets: Record<Name, Target>): Promise<Record<Name, number>> {
  const all = Object.entries<Target>(targets).map(([name, target]) => ({ name, target, rates: [] as number[] }));
  for (const { target } of all) await requestRate(target, { ...load, seconds: 2 });
  for (let i = 1; i <= rounds; i += 1) for (const { target, rates } of all) rates.push(await requestRate(target, load));
  return Object.fromEntries(all.map(({ name, rates }) => [name, round(median(rates), 0)])) as Record<Name, number>;
}
