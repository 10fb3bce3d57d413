import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { WorkerRepository } from '@sluice/db';
import { runExecution } from '@sluice/queue';
import { eventually } from '@sluice/test-support';
import { Queue } from 'bullmq';
import { sql } from 'kysely';
import type { Fleet } from './support/fleet.ts';
import { SlowFleet } from './support/slow-fleet.ts';
import type { SlowService } from './support/slow-service.ts';

let slow: SlowFleet;
let fleet: Fleet;
let service: SlowService;
beforeEach(async () => {
  slow = await SlowFleet.start({ QUEUED_MAX_PER_PROJECT: '1000000' });
  ({ fleet, service } = slow);
});
afterEach(() => slow.close());

/** Creates a workflow that sends one request to `path` of the slow service. */
const aWorkflow = (path: string, projectId?: string, settings: object = {}) =>
  slow.aWorkflow(path, { settings, ...(projectId && { projectId }) });

async function start(workflowId: string): Promise<string> {
  const [id] = await slow.run(workflowId);
  return id as string;
}

/**
 * Maximum number of executions per INSERT statement, so that a slow machine does not exceed the
 * timeout.
 */
const batch = 10_000;

/** Inserts executions and their jobs, like many starts. */
async function startMany(workflowId: string, count: number): Promise<void> {
  const first = await start(workflowId);
  for (let remaining = count - 1; remaining > 0; remaining -= batch) {
    const { rows } = await sql<{ id: string }>`
      INSERT INTO executions (workflow_id, project_id, graph_hash, version_id, status, mode, user_id)
      SELECT workflow_id, project_id, graph_hash, version_id, 'new', mode, user_id
      FROM executions, generate_series(1, ${Math.min(batch, remaining)}::int) WHERE id = ${first} RETURNING id`.execute(
      fleet.db.kysely,
    );
    await fleet.queue.enqueueAll(rows.map(({ id }) => ({ executionId: id, attempt: 1 })));
  }
}

const requests = (count: number) => eventually(() => Promise.resolve(expect(service.received).toBeGreaterThanOrEqual(count)));
const receivedBy = (path: string) => service.paths.filter((received) => received === `/${path}`).length;

/** Ends the running executions one by one until the service has received `count` requests. */
async function respondUntil(count: number): Promise<void> {
  while (service.received < count) {
    const before = service.received;
    service.respond(1);
    await requests(before + 1);
  }
}

describe('while one project has 100,000 queued executions', () => {
  test('a single run of another project takes the next free slot', async () => {
    const [flood, single] = [await aWorkflow('flood'), await aWorkflow('single', await fleet.aProject())];
    await startMany(flood, 100_000);
    await fleet.work({}, { CONCURRENCY: '4' });
    await requests(4);
    await start(single);
    await delay(1_000);
    service.respond(4);
    await requests(8);
    expect(receivedBy('single')).toBe(1);
  });
});

describe('while more executions are queued than can start', () => {
  test('projects take turns by weight, and the workflows within each by priority', async () => {
    const [other, weighty] = [await fleet.aProject(), await fleet.aProject()];
    await sql`UPDATE projects SET weight = 2 WHERE id = ${weighty}`.execute(fleet.db.kysely);
    const workflows = [
      await aWorkflow('other', other),
      await aWorkflow('urgent', weighty, { priority: 9 }),
      await aWorkflow('casual', weighty, { priority: 3 }),
    ];
    for (const workflow of workflows) await startMany(workflow, 400);
    await delay(300);
    await fleet.work({}, { CONCURRENCY: '2' });
    await respondUntil(40);
    const before = [receivedBy('other'), receivedBy('urgent'), receivedBy('casual')] as const;
    await respondUntil(160);
    const shares = [receivedBy('other') - before[0], receivedBy('urgent') - before[1], receivedBy('casual') - before[2]];
    for (const [i, expected] of [40, 60, 20].entries()) expect(Math.abs((shares[i] ?? 0) - expected)).toBeLessThanOrEqual(4);
  }, 60_000);

  test('every execution runs once, even with several workers and after Redis has lost all jobs', async () => {
    service.release();
    const projects = [undefined, await fleet.aProject(), await fleet.aProject()];
    const paths = ['a', 'b', 'c'];
    for (const [i, path] of paths.entries()) await startMany(await aWorkflow(path, projects[i]), 300);
    await Promise.all([fleet.work({}, { LEASE_MS: '3000' }), fleet.work({}, { LEASE_MS: '3000' })]);
    await requests(200);
    await fleet.redis.del(...(await fleet.redis.keys(`${fleet.queuePrefix}:*`)));
    await eventually(async () => {
      const { rows } = await sql`SELECT status FROM executions WHERE status <> 'success'`.execute(fleet.db.kysely);
      expect(rows).toEqual([]);
    });
    expect(paths.map(receivedBy)).toEqual([300, 300, 300]);
  }, 90_000);
});

test('an execution without a job starts once it is overdue, even if the queue is never empty', async () => {
  const flood = await aWorkflow('flood');
  const lost = await start(flood);
  await fleet.redis.del(...(await fleet.redis.keys(`${fleet.queuePrefix}:*`)));
  await sql`UPDATE executions SET queued_at = now() - interval '11 seconds' WHERE id = ${lost}`.execute(fleet.db.kysely);
  await startMany(flood, 200);
  await delay(300);
  await fleet.work({}, { CONCURRENCY: '2' });
  await respondUntil(30);
  const { body } = await fleet.call('GET', `/executions/${lost}`);
  expect(body.status).not.toBe('new');
  expect(await new WorkerRepository(fleet.db).takeStranded(-60_000, 1)).toHaveLength(1); // other executions still wait
}, 60_000);

test('an execution without a job starts even if there are jobs at each sweep, as long as the queue is empty in between', async () => {
  service.release();
  const workflow = await aWorkflow('steady');
  const lost = await start(workflow);
  await fleet.redis.del(...(await fleet.redis.keys(`${fleet.queuePrefix}:*`)));
  await sql`UPDATE executions SET queued_at = now() - interval '11 seconds' WHERE id = ${lost}`.execute(fleet.db.kysely);
  const queue = new Queue(runExecution.queue, { connection: fleet.redis, prefix: fleet.queuePrefix });
  await queue.add('never', {}, { delay: 3_600_000 }); // counts as a waiting job
  await fleet.work({}, { LEASE_MS: '3000' });
  await eventually(() => expect(receivedBy('steady')).toBe(1), { timeoutMs: 20_000 });
  await queue.close();
}, 30_000);
