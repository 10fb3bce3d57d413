import { type ExecutionId, liveStatuses } from '@sluice/domain';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Tables } from '../../tables/tables.ts';
import { cancelCalled } from './called-execution-repository.ts';

function selectLive(db: Kysely<Tables>) {
  return db
    .selectFrom('executions')
    .select('id')
    .where('status', 'in', [...liveStatuses]);
}

type LiveExecutions = ReturnType<typeof selectLive>;

/**
 * Moves the unfinished executions that `narrow` selects to `canceled`, and then their
 * sub-executions; `called` lists the sub-executions that did not match themselves. Rows are locked
 * by ascending id, as everywhere.
 */
export async function cancelMatching(tx: Transaction<Tables>, narrow: (live: LiveExecutions) => LiveExecutions) {
  const canceled = await tx
    .updateTable('executions')
    .set({ status: 'canceled', stopped_at: sql<Date>`clock_timestamp()` })
    .where('id', 'in', narrow(selectLive(tx)).orderBy('id').forUpdate())
    .returning(['id', 'stopped_at', 'project_id', 'parent_execution_id'])
    .execute();
  const ids: ExecutionId[] = canceled.map(({ id }) => id);
  return { canceled, ids, called: await cancelCalled(tx, ids) };
}
