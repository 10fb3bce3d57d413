import { queryDatabase } from '../e2e/support/database.ts';
import type { Client } from './client.ts';
import type { EffectCounter } from './effects.ts';
import { bodyOf, deactivate } from './installation.ts';
import type { Ledger } from './ledger.ts';
import { inputsOf, pendingEvents, unfinished } from './stored.ts';
import { until } from './until.ts';
import type { Workload } from './workload.ts';

/** Executions that have not ended after this time are stuck. */
const settleMs = 90_000;
/** A worker that has claimed nothing after this time is idle. */
const idleMs = 30_000;
const probesAtOnce = 30;

interface Settling {
  databaseUrl: string;
  ledger: Ledger;
  client: Client;
  counter: EffectCounter;
  workload: Workload;
  /** ID of the workflow of a kind. */
  idOf(kind: string): string;
}

export interface Settled {
  /** When the triggers were deactivated, in milliseconds since the epoch. */
  deactivatedAt: number;
  /** Live workers that claim no executions. */
  idleWorkers: string[];
}

/** Stops the workload and the triggers, and waits until all executions have ended. */
export async function settle(settling: Settling): Promise<Settled> {
  const { databaseUrl, client, counter, workload, idOf } = settling;
  await workload.stop();
  counter.endFeed();
  await untilPolled(settling).catch(() => undefined); // the audit reports missing entries
  const deactivatedAt = Date.now();
  await Promise.all(['schedule', 'poll'].map((name) => deactivate(client, idOf(name))));
  const idleWorkers = await findIdleWorkers(settling);
  await workload.idle();
  await stopForgottenWaits(settling);
  await until(async () => (await unfinished(databaseUrl)).length === 0, settleMs).catch(() => undefined);
  await until(async () => (await pendingEvents(databaseUrl)) === 0, settleMs).catch(() => undefined); // the audit reports missing events
  return { deactivatedAt, idleWorkers };
}

async function untilPolled({ databaseUrl, counter, idOf }: Settling): Promise<void> {
  const [last] = counter.entries.slice(-1);
  await until(async () => {
    const inputs = await inputsOf(databaseUrl, idOf('poll'));
    return inputs.some(({ items }) => items.some(({ title }) => title === last));
  });
}

/**
 * Stops waiting executions whose resume URL is unknown: a retry that continues at a wait has a new
 * URL that its workflow does not send. Call it once all others have been resumed.
 */
async function stopForgottenWaits({ databaseUrl, client, idOf }: Settling): Promise<void> {
  const workflowId = idOf('wait for a request');
  const open = () =>
    queryDatabase(databaseUrl, `SELECT FROM executions WHERE status IN ('new', 'running') AND workflow_id = $1`, [workflowId]);
  await until(async () => (await open()).length === 0, settleMs).catch(() => undefined);
  const body = { filter: { workflowId, status: ['waiting'] } };
  bodyOf(await client.persist({ method: 'POST', route: '/executions/stopMany', body }), 200);
}

async function findIdleWorkers({ databaseUrl, client, ledger, idOf }: Settling): Promise<string[]> {
  const probe = async () => {
    const headers = { prefer: 'respond-async' };
    const { executionId } = bodyOf(
      await client.persist({ method: 'POST', route: '/workflows/{id}/run', id: idOf('probe'), headers, body: {} }),
      200,
    );
    ledger.accept({ id: executionId, kind: 'probe' });
  };
  const [{ id: since } = { id: '0' }] = await queryDatabase<{ id: string }>(
    databaseUrl,
    'SELECT max(id) AS id FROM executions',
  );
  const idle = () =>
    queryDatabase<{ id: string }>(
      databaseUrl,
      'SELECT id FROM workers WHERE lease_expires_at > now() AND NOT EXISTS (SELECT FROM executions e WHERE e.worker_id = workers.id AND e.id > $1)',
      [since],
    );
  const check = async () => {
    await Promise.all(Array.from({ length: probesAtOnce }, probe));
    return (await idle()).length === 0;
  };
  await until(check, idleMs).catch(() => undefined);
  return (await idle()).map(({ id }) => `worker ${id} claims no executions`);
}
