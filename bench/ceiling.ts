import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createDatabase } from '@sluice/db';
import { createLogger } from '@sluice/logger';
import { closeRedis, createRedis } from '@sluice/queue';
import { Queue } from 'bullmq';
import { sql } from 'kysely';
import type { Measurement } from './bench.ts';
import { endChild, track } from './children.ts';
import { load, loadTarget } from './http-load.ts';
import type { Stack } from './stack.ts';

const logger = createLogger({ name: 'bench', level: 'warn' });
const addBatch = 500;
const concurrency = 50;

/**
 * Rates per second. `a`: BullMQ jobs that do nothing. `b`: BullMQ jobs with one insert and one
 * update each, through a `pg` pool of 10. `d`: requests to bare Express.
 */
export const measureCeilings: Measurement = async ({ stack, barePort, count }) => {
  const bare = loadTarget(barePort, 'GET', '/api/v1/executions', {});
  await load(bare, count, concurrency); // warm-up
  return async () => ({
    a: await ceilingRate(stack, count, false),
    b: await ceilingRate(stack, count, true),
    d: (4 * count) / (await load(bare, 4 * count, concurrency)),
  });
};

/**
 * Jobs per second that one BullMQ worker process finishes, with or without two writes each. As in
 * the measurement of executions, jobs are added while it works; the time runs from the first
 * addition to the last completion.
 */
async function ceilingRate(stack: Stack, jobs: number, writes: boolean): Promise<number> {
  const name = writes ? 'ceiling-writes' : 'ceiling-noop';
  if (writes) await createTable(stack);
  const redis = createRedis(stack.redisUrl, 'consumer', logger);
  const queue = new Queue(name, { connection: redis, defaultJobOptions: { removeOnComplete: true, removeOnFail: true } });
  const args = [name, String(concurrency), stack.redisUrl, ...(writes ? [stack.databaseUrl] : [])];
  const worker = track(fork(new URL('./ceiling-worker.ts', import.meta.url), args));
  await once(worker, 'message');
  const startedAt = performance.now();
  for (let n = 0; n < jobs; n += addBatch) {
    await queue.addBulk(Array.from({ length: Math.min(addBatch, jobs - n) }, (_, i) => ({ name: 'job', data: { n: n + i } })));
  }
  await untilDrained(queue);
  const seconds = (performance.now() - startedAt) / 1_000;
  await endChild(worker);
  await queue.close();
  await closeRedis(redis);
  return jobs / seconds;
}

/**
 * Resolves when a queue has no waiting and no active jobs. Polls the counters of the queue every
 * few milliseconds, which is cheap and the same for both ceilings.
 */
export async function untilDrained(queue: Queue): Promise<void> {
  for (;;) {
    const counts = await queue.getJobCounts('wait', 'active');
    if ((counts['wait'] ?? 0) + (counts['active'] ?? 0) === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

async function createTable(stack: Stack): Promise<void> {
  const db = createDatabase({ url: stack.databaseUrl });
  await sql`DROP TABLE IF EXISTS ceiling`.execute(db.kysely);
  await sql`CREATE TABLE ceiling (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, job int, status text)`.execute(db.kysely);
  await db.close();
}
