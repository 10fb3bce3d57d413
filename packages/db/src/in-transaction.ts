import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely, Transaction } from 'kysely';
import { AuditTrail } from './audit/audit-trail.ts';
import { isTransactionConflict } from './sql-errors.ts';
import type { Tables } from './tables/tables.ts';

const maxAttempts = 4;
/** Milliseconds that the first pause takes at most; each one after it may take twice as long. */
const pauseMs = 20;

/**
 * Runs `work` in the caller's transaction if it is one, else in a new one. A new one carries the audit log's line of the act that
 * the calling code belongs to, so that neither is there without the other. Work that resolves to `undefined` has changed nothing.
 *
 * Of two transactions that stand in each other's way Postgres undoes one. That one is run again, a few times: so `work` does
 * nothing but ask and change the database.
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
    const made = await work(tx);
    if (made !== undefined) await trail.writeIn(tx, made);
    return made;
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
