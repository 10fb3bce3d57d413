import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely, Transaction } from 'kysely';
import { AuditTrail } from '../audit/audit-trail.ts';
import { isTransactionConflict } from '../connection/sql-errors.ts';
import type { Tables } from '../tables/tables.ts';

const maxAttempts = 4;
/** Maximum of the first pause in milliseconds; it doubles with each further retry. */
const pauseMs = 20;

/**
 * Runs `work` in the caller's transaction if there is one, or else in a new one. A new transaction
 * also writes the audit line of the action that the calling code belongs to, so that both or
 * neither are stored. Work that resolves to `undefined` must have changed nothing.
 *
 * Postgres rolls back one of two deadlocked transactions. It is retried a few times, so `work` must
 * only read and write the database.
 */
export async function inTransaction<T>(db: Kysely<Tables>, work: (tx: Transaction<Tables>) => Promise<T>): Promise<T> {
  if (db.isTransaction) return work(db as Transaction<Tables>);
  const trail = AuditTrail.current();
  if (!trail || trail.written) return againAfterConflict(() => db.transaction().execute(work));
  const restore = trail.remember();
  return againAfterConflict(() => {
    restore();
    return audited(db, trail, work);
  });
}

async function audited<T>(db: Kysely<Tables>, trail: AuditTrail, work: (tx: Transaction<Tables>) => Promise<T>): Promise<T> {
  const result = await db.transaction().execute(async (tx) => {
    const change = await work(tx);
    if (change !== undefined) await trail.writeIn(tx, change);
    return change;
  });
  if (result !== undefined) trail.committed();
  return result;
}

async function againAfterConflict<T>(attempt: () => Promise<T>): Promise<T> {
  for (let failed = 0; ; ) {
    try {
      return await attempt();
    } catch (error) {
      failed += 1;
      if (!isTransactionConflict(error) || failed === maxAttempts) throw error;
      await delay(Math.random() * pauseMs * 2 ** (failed - 1));
    }
  }
}
