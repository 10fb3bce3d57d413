import { UnavailableError } from '@sluice/domain';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Tables } from '../tables/tables.ts';
import { inTransaction } from './in-transaction.ts';

/**
 * A write that its caller repeats while the database is unreachable; one object for all
 * repetitions.
 */
export interface RepeatedWrite<T> {
  /** The last attempt that reached its commit. */
  attempt?: { transactionId: string; result: T };
}

/**
 * Runs `work` in a transaction. If the reply to an earlier commit of the same write was lost, that
 * commit counts, and its result is returned: `work` would find its own effects. Throws
 * `UnavailableError` while that commit is in progress.
 */
export async function writeOnce<T>(
  db: Kysely<Tables>,
  write: RepeatedWrite<T>,
  work: (tx: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  const { attempt } = write;
  if (attempt && (await hasCommitted(db, attempt.transactionId))) return attempt.result;
  return inTransaction(db, async (tx) => {
    const result = await work(tx);
    const { rows } = await sql<{ id: string }>`SELECT pg_current_xact_id()::text AS id`.execute(tx);
    if (rows[0]) write.attempt = { transactionId: rows[0].id, result };
    return result;
  });
}

async function hasCommitted(db: Kysely<Tables>, transactionId: string): Promise<boolean> {
  // After a failover, the new server may not have reached this id: its commit was lost, too.
  const { rows } = await sql<{ status: string | null }>`SELECT
    CASE WHEN ${transactionId}::xid8 < pg_current_xact_id() THEN pg_xact_status(${transactionId}::xid8) END AS status`.execute(
    db,
  );
  const status = rows[0]?.status;
  if (status === 'in progress') throw new UnavailableError('a commit is in progress');
  return status === 'committed';
}
