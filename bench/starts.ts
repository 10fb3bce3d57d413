import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Measurement } from './bench.ts';
import { type Fleet, inParallel } from './fleet.ts';
import { percentile } from './statistics.ts';
import { webhookToSet } from './throughput-cases.ts';

/** Pause before each start, so that the worker is idle. */
const idleMs = 10;

/** Time from enqueue to start of single executions on an idle worker. */
export const measureStarts: Measurement = async ({ fleet, quick }) => {
  await fleet.activate({ name: 'start', settings: {}, ...webhookToSet('start') });
  const count = quick ? 50 : 200;
  await enqueueToStart(fleet, 'start', count);
  return async () => {
    const waits = await enqueueToStart(fleet, 'start', count);
    return { startP50Ms: percentile(waits, 0.5), startP99Ms: percentile(waits, 0.99) };
  };
};

/**
 * Milliseconds from `created_at`, when the insert of an execution starts, to `started_at`, when its
 * claim starts, by the database's clock; includes insert, commit, and delivery. Sends `count`
 * requests to the webhook at `path`, each after the previous execution has ended.
 */
export async function enqueueToStart(fleet: Fleet, path: string, count: number): Promise<number[]> {
  const ids: string[] = [];
  await inParallel(1, count, async (_, agent) => {
    await delay(idleMs);
    const { executionId } = await fleet.call<{ executionId: string }>('POST', `/webhook/${path}`, { n: 21 }, agent);
    ids.push(executionId);
    await fleet.allEnded(5);
  });
  const { rows } = await sql<{ ms: number }>`
    SELECT extract(epoch FROM started_at - created_at)::float8 * 1000 AS ms FROM executions
    WHERE id = ANY (${ids})`.execute(fleet.db.kysely);
  return rows.map(({ ms }) => ms);
}
