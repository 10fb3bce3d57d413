import type { AppError, ExecutionId } from '@sluice/domain';
import type { Kysely, Transaction } from 'kysely';
import { compiled } from '../../statements/compiled.ts';
import { inTransaction } from '../../statements/in-transaction.ts';
import type { Tables } from '../../tables/tables.ts';
import type { QueueGauge } from '../queue/queue-gauge.ts';
import { encodeStart, type InsertedRow, insertExecutions, insertedIds, type NewExecution } from './insert-executions.ts';

/**
 * Inserts executions by one statement. Resolves to the id of each, or to the reason why it was not
 * inserted.
 */
type Insert = <const Executions extends readonly NewExecution[]>(
  executions: Executions,
) => Promise<{ [Place in keyof Executions]: ExecutionId | AppError }>;

/**
 * Like `inTransaction`, for work that inserts executions. They count toward their project's queue
 * once the transaction is committed. Without a gauge, the queues are unlimited.
 */
export async function startInTransaction<T>(
  db: Kysely<Tables>,
  queueGauge: Pick<QueueGauge, 'full' | 'note'> | undefined,
  work: (tx: Transaction<Tables>, insert: Insert) => Promise<T>,
): Promise<T> {
  // Before the transaction: it may need its own connection.
  const fullProjects = await queueGauge?.full();
  let inserted: InsertedRow[] = [];
  const result = await inTransaction(db, (tx) => {
    inserted = [];
    return work(tx, async (executions) => {
      if (executions.length === 0) return [] as never;
      const starts = await Promise.all(executions.map((execution) => encodeStart({ execution })));
      const { rows } = await tx.executeQuery(compiled<InsertedRow>(insertExecutions(starts, { fullProjects })));
      inserted.push(...rows);
      return insertedIds(rows, executions) as never;
    });
  });
  for (const { id, project_id } of inserted) if (id !== null) queueGauge?.note(project_id);
  return result;
}
