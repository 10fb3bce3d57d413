import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomId } from '@sluice/domain';
import { noNodePackages } from '@sluice/node-packages';
import { aChain, aNode, eventually } from '@sluice/test-support';
import { serverOrSkip, startPrometheus, type TestServer } from '@sluice/test-support/servers';
import { sql } from 'kysely';
import { Fleet } from '../../apps/worker/tests/support/fleet.ts';

/*
 * Triggers every alert: brings processes into the state that it detects, while a real Prometheus
 * scrapes them and evaluates the rules. Alerts that wait for minutes (`for`) wait for a second
 * here.
 */
const text = readFileSync(new URL('../../infra/observability/alerts.yml', import.meta.url), 'utf8');
const rules = text.replaceAll(/for: \d+m/g, 'for: 1s');
const names = [...text.matchAll(/- alert: (\w+)/g)].map(([, name]) => name as string);
const runbooks = [...text.matchAll(/runbook: (\S+\.md)/g)].map(([, path]) => path as string);

let fleet: Fleet;
let api: Awaited<ReturnType<Fleet['serve']>>;
let prometheus: TestServer | undefined;

beforeAll(async () => {
  fleet = await Fleet.start({ METRICS_PORT: '0', LEASE_MS: '1500', QUEUED_MAX_PER_PROJECT: '2', SANDBOX_TIMEOUT_MS: '200' });
  api = await fleet.serve();
  const nodePackages = { ...noNodePackages, failures: [{ name: 'broken', error: 'broken' }] as never };
  const worker = await fleet.work({ nodePackages });
  const targets = [api.metricsPort, worker.healthPort, 1].map((port) => `127.0.0.1:${port}`);
  prometheus = await serverOrSkip('Prometheus', () => startPrometheus({ rules, targets }));
  if (prometheus) await eventually(async () => expect(await upTargets()).toBe(2), { timeoutMs: 30_000 });
});
afterAll(async () => {
  await prometheus?.close();
  await fleet.close();
});

const get = async <T>(path: string): Promise<T> => {
  const response = await fetch(`http://127.0.0.1:${prometheus?.port}/api/v1/${path}`);
  return ((await response.json()) as { data: T }).data;
};
const upTargets = async () => {
  const { result } = await get<{ result: { value: [number, string] }[] }>('query?query=up');
  return result.filter(({ value }) => value[1] === '1').length;
};
const firing = async (): Promise<{ alertname: string; instance?: string }[]> => {
  const { alerts } = await get<{ alerts: { labels: { alertname: string }; state: string }[] }>('alerts');
  return alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels);
};
const alerting = async (): Promise<string[]> => (await firing()).map(({ alertname }) => alertname);

const create = async (code?: string) => {
  const trigger = aNode({ name: 'Start', type: 'base.manual-trigger' });
  const nodes =
    code === undefined ? [trigger] : [trigger, aNode({ name: 'Code', type: 'base.code', parameters: { jsCode: code } })];
  return (await fleet.call('POST', '/workflows', aChain(nodes))).body.id as string;
};
const start = (id: string) => fleet.call('POST', `/workflows/${id}/run`, {}, { prefer: 'respond-async' });
const run = (statement: ReturnType<typeof sql>) => statement.execute(fleet.db.kysely);

/** Alert → what triggers it while a worker runs. */
const workerAlerts: Record<string, () => Promise<unknown>> = {
  SluiceTargetDown: async () => undefined, // nothing listens on port 1
  SluicePackagesNotLoaded: async () => undefined,
  SluiceLeasesReaped: () =>
    run(sql`INSERT INTO workers (id, hostname, pid, concurrency, lease_expires_at)
      VALUES (${randomId()}, 'gone', 1, 1, now() - interval '1 minute')`),
  async SluiceSandboxKills() {
    // Without a call or a loop, the guest never checks its deadline, so the thread is terminated.
    const id = await create(`${'3n ** 600000n; '.repeat(1_000)} return []`);
    for (let i = 0; i < 4; i++) await fleet.call('POST', `/workflows/${id}/run`);
  },
  async SluiceTriggersFail() {
    const schedule = aNode({
      name: 'Every',
      type: 'base.schedule-trigger',
      parameters: { rule: { interval: [{ field: 'seconds', secondsInterval: 1 }] } },
    });
    const { body } = await fleet.call('POST', '/workflows', aChain([schedule]));
    await fleet.call('POST', `/workflows/${body.id}/activate`);
    await run(
      sql`UPDATE triggers SET spec = jsonb_set(spec::jsonb, '{timezone}', '"Nowhere/Land"')::json WHERE workflow_id = ${body.id}`,
    );
  },
  async SluiceEventLoopBlocked() {
    const timer = setInterval(() => {
      for (const end = Date.now() + 1_300; Date.now() < end; );
    }, 4_000); // longer than the scrape interval, so that each block is scraped
    setTimeout(() => clearInterval(timer), 90_000); // as long as the test waits for its alert
  },
};

/** Alert → what triggers it without a worker. */
const queueAlerts: Record<string, () => Promise<unknown>> = {
  SluiceNoWorkers: async () => undefined,
  async SluiceCapacityLimitHit() {
    const id = await create();
    for (let i = 0; i < 40; i++) await start(id);
  },
  async SluiceServerErrors() {
    await run(sql`ALTER TABLE tags RENAME TO lost_tags`);
    for (let i = 0; i < 40; i++) {
      await fleet.call('GET', '/tags');
      await delay(100); // spreads the errors over several scrapes
    }
  },
  SluiceQueueOld: () => run(sql`UPDATE executions SET created_at = now() - interval '1 hour' WHERE status = 'new'`),
  SluiceExecutionRunsLong: () =>
    run(sql`UPDATE executions SET status = 'running', started_at = now() - interval '7 hours' WHERE id = (
      SELECT max(id) FROM executions WHERE status = 'new')`),
};

test('every alert has a runbook and is triggered below', () => {
  expect(runbooks).toHaveLength(names.length);
  for (const path of runbooks)
    expect(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')).toMatch(/^# Sluice\w+\n/);
  const crashed = 'SluiceExecutionsCrashed';
  expect([...Object.keys(workerAlerts), ...Object.keys(queueAlerts), crashed].toSorted()).toEqual(names.toSorted());
});

test('only the conditions that exist from the start fire an alert', async () => {
  if (!prometheus) return;
  await eventually(async () => expect((await alerting()).toSorted()).toEqual(['SluicePackagesNotLoaded', 'SluiceTargetDown']));
});

test('every worker alert fires', async () => {
  if (!prometheus) return;
  const expected = [...Object.keys(workerAlerts), 'SluiceExecutionsCrashed'];
  const dead = randomId();
  const id = await create();
  for (const trigger of Object.values(workerAlerts)) await trigger();
  // An execution whose worker is gone.
  await start(id);
  await run(sql`INSERT INTO executions (workflow_id, project_id, graph_hash, version_id, status, mode, worker_id, started_at)
    SELECT workflow_id, project_id, graph_hash, version_id, 'running', mode, ${dead}, now() FROM executions WHERE workflow_id = ${id} LIMIT 1`);
  await eventually(async () => expect(await alerting()).toEqual(expect.arrayContaining(expected)), { timeoutMs: 90_000 });
});

test('every queue alert fires', async () => {
  if (!prometheus) return;
  await fleet.stopWorkers();
  for (const trigger of Object.values(queueAlerts)) await trigger();
  const expected = Object.keys(queueAlerts);
  await eventually(async () => expect(await alerting()).toEqual(expect.arrayContaining(expected)), { timeoutMs: 90_000 });
});

test('an alert fires if no API is left, even where service discovery has removed its targets', async () => {
  if (!prometheus) return;
  await api.stop();
  const withoutTarget = async () =>
    (await firing()).some(({ alertname, instance }) => alertname === 'SluiceTargetDown' && instance === undefined);
  await eventually(async () => expect(await withoutTarget()).toBe(true), { timeoutMs: 30_000 });
});
