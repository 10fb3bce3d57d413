import type { Kysely, Transaction } from 'kysely';
import { AuditTrail } from '../audit/audit-trail.ts';
import type { Tables } from '../tables/tables.ts';

/**
 * Runs `work` in the caller's transaction if it is one, else in a new one. A new one carries the audit log's line of the act that
 * the calling code belongs to, so that neither is there without the other. Work that resolves to `undefined` has changed nothing.
 */
export async function inTransaction<T>(db: Kysely<Tables>, work: (tx: Transaction<Tables>) => Promise<T>): Promise<T> {
  if (db.isTransaction) return work(db as Transaction<Tables>);
  const trail = AuditTrail.current();
  if (!trail || trail.written) return db.transaction().execute(work);
  const result = await db.transaction().execute(async (tx) => {
    const made = await work(tx);
    if (made !== undefined) await trail.writeIn(tx, made);
    return made;
  });
  if (result !== undefined) trail.committed();
  return result;
}
