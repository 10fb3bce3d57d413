import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type JsonObject, randomId } from '@sluice/domain';
import { aChain, aNode, eventually } from '@sluice/test-support';
import { sql } from 'kysely';
import type { RunningWorker } from '../src/worker.ts';
import { Fleet } from './support/fleet.ts';

let fleet: Fleet;
let worker: RunningWorker;
let api: Awaited<ReturnType<Fleet['serve']>>;
beforeEach(async () => {
  fleet = await Fleet.start({ METRICS_PORT: '0', LEASE_MS: '1500' });
  api = await fleet.serve();
  worker = await fleet.work();
  await metricsOf(worker); // the first scrape starts the collection
});
afterEach(() => fleet.close());

const metricsOf = async ({ healthPort }: RunningWorker) => (await fetch(`http://127.0.0.1:${healthPort}/metrics`)).text();

/** Value of a series; 0 if it does not exist. */
async function metric(series: string): Promise<number> {
  const line = (await metricsOf(worker)).split('\n').find((each) => each.startsWith(`${series} `));
  return Number(line?.slice(series.length) ?? 0);
}

async function run(parameters: JsonObject): Promise<string> {
  const trigger = aNode({ name: 'Start', type: 'base.manual-trigger' });
  const graph = aChain([trigger, aNode({ name: 'Code', type: 'base.code', parameters })]);
  const { body: workflow } = await fleet.call('POST', '/workflows', graph);
  const { body } = await fleet.call('POST', `/workflows/${workflow.id}/run`);
  return body.executionId;
}

test('an execution is measured from its start to its end', async () => {
  await run({ jsCode: 'return []' });
  await run({ jsCode: 'return items.none()' });

  expect(await metric('sluice_execution_start_delay_seconds_count')).toBe(2);
  expect(await metric('sluice_execution_start_delay_seconds_bucket{le="+Inf"}')).toBe(2);
  expect(await metric('sluice_execution_start_delay_seconds_sum')).toBeLessThan(10);
  expect(await metric('sluice_node_duration_seconds_count{type="code"}')).toBe(2);
  expect(await metric('sluice_node_failures_total{type="code"}')).toBe(1);
  expect(await metric('sluice_group_commit_size_sum{group="claims"}')).toBe(2);
  expect(await metric('sluice_group_commit_size_sum{group="endings"}')).toBe(2);
});

test('code that does not finish in time is counted as killed by the sandbox, and as reaching a limit', async () => {
  await fleet.stopWorkers();
  worker = await fleet.work({}, { SANDBOX_TIMEOUT_MS: '200' });
  await metricsOf(worker);
  // A native call that takes quadratic time and that the guest cannot interrupt.
  await run({ jsCode: "return [{ json: { at: 'a'.repeat(1e6).indexOf('a'.repeat(5e5) + 'b') } }]" });
  expect(await metric('sluice_sandbox_kills_total{reason="timeout"}')).toBe(1);
  expect(await metric('sluice_limits_hit_total{limit="CODE_TIMEOUT"}')).toBe(1);
});

test('an expired lease is counted as a lease that the sweeper found', async () => {
  const { kysely } = fleet.db;
  await sql`INSERT INTO workers (id, hostname, pid, concurrency, lease_expires_at)
    VALUES (${randomId()}, 'gone', 1, 1, now() - interval '1 minute')`.execute(kysely);
  await eventually(async () => expect(await metric('sluice_sweep_finds_total{find="lease"}')).toBe(1));
});

test('the API reports the age of the queue by status and project, and the live workers', async () => {
  await fleet.stopWorkers();
  const { body: workflow } = await fleet.call(
    'POST',
    '/workflows',
    aChain([aNode({ name: 'Start', type: 'base.manual-trigger' })]),
  );
  for (let i = 0; i < 2; i++) await fleet.call('POST', `/workflows/${workflow.id}/run`, {}, { prefer: 'respond-async' });
  const { kysely } = fleet.db;
  await sql`UPDATE executions SET created_at = now() - interval '90 seconds'
    WHERE id = (SELECT min(id) FROM executions)`.execute(kysely);
  // A live worker, and a worker whose lease has expired.
  await sql`INSERT INTO workers (id, hostname, pid, concurrency, lease_expires_at)
    SELECT gen_random_uuid(), 'here', 1, 1, now() + minutes * interval '1 minute' FROM unnest(ARRAY[1, -1]) AS minutes`.execute(
    kysely,
  );

  const text = await (await fetch(`http://127.0.0.1:${api.metricsPort}/metrics`)).text();
  expect(text).toMatch(/^sluice_oldest_execution_seconds{status="new"} 9\d\./m);
  expect(text).not.toMatch(/^sluice_oldest_execution_seconds{status="running"}/m);
  expect(text).toMatch(new RegExp(`^sluice_oldest_queued_seconds{project="${workflow.projectId}"} 9\\d\\.`, 'm'));
  expect(text).toContain('sluice_workers_live 1\n');
});
