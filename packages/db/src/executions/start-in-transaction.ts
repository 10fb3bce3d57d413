import type { Kysely, Transaction } from 'kysely';
import { inTransaction } from '../in-transaction.ts';
import type { Tables } from '../tables/tables.ts';
import type { QueueGauge } from './queue-gauge.ts';

/**
 * Like `inTransaction`, for work that inserts executions. `note`: records the project of one, which
 * counts for its queue once the transaction is committed.
 */
export async function startInTransaction<T>(
  db: Kysely<Tables>,
  queueGauge: Pick<QueueGauge, 'note'> | undefined,
  work: (tx: Transaction<Tables>, note: (projectId: string) => void) => Promise<T>,
): Promise<T> {
  let projectIds: string[] = [];
  const result = await inTransaction(db, (tx) => {
    projectIds = [];
    return work(tx, (projectId) => void projectIds.push(projectId));
  });
  for (const projectId of projectIds) queueGauge?.note(projectId);
  return result;
}
