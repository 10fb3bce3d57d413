import { type ExecutionId, liveStatuses, type WorkflowId } from '@sluice/domain';
import { type Kysely, sql } from 'kysely';
import { type Access, anyOf } from '../access.ts';
import { cancelMatching } from '../executions/waits/cancel-matching.ts';
import { lockWorkflow } from '../lock-workflow.ts';
import { inTransaction } from '../statements/in-transaction.ts';
import type { Tables } from '../tables/tables.ts';
import { checked, selectHead } from './select-workflow.ts';
import type { DeletedWorkflow, WorkflowHead } from './workflow.ts';

/**
 * Number of executions deleted per batch before their workflow, whose history may contain millions.
 */
const historyBatchSize = 2_000;
/** Timeout in milliseconds for deleting the workflow with the rest of its history. */
const deleteTimeoutMs = 600_000;

/** As in `WorkflowRepository.delete`. */
export async function deleteWorkflow(
  db: Kysely<Tables>,
  id: WorkflowId,
  access: Access,
  check: (workflow: WorkflowHead) => void,
): Promise<DeletedWorkflow> {
  const findDeletable = async (from: Kysely<Tables>) => {
    const workflow = checked(id, access, await selectHead(from).where('w.id', '=', id).executeTakeFirst());
    check(workflow);
    return workflow;
  };
  await deleteHistory(db, id, () => findDeletable(db));
  return inTransaction(db, async (tx) => {
    await sql`SELECT set_config('statement_timeout', ${String(deleteTimeoutMs)}, true)`.execute(tx);
    await lockWorkflow(tx, id);
    const { name } = await findDeletable(tx);
    // Before the executions, because claims and moves lock in this order.
    await tx.deleteFrom('execution_limits').where('workflow_id', '=', id).execute();
    await tx.deleteFrom('execution_moves').where('workflow_id', '=', id).execute();
    const { ids, called } = await cancelMatching(tx, (live) => live.where('workflow_id', '=', id));
    // Finds all of them in one scan. The cascade would search once per graph that ever existed.
    await tx.deleteFrom('executions').where('workflow_id', '=', id).execute();
    await tx.deleteFrom('workflows').where('id', '=', id).execute();
    return { id, name, canceled: [...ids, ...called] };
  });
}

/**
 * Deletes ended executions, oldest first, and skips locked ones. Calls `assertDeletable` before
 * each batch.
 */
async function deleteHistory(db: Kysely<Tables>, id: WorkflowId, assertDeletable: () => Promise<unknown>): Promise<void> {
  for (let afterId = '0', isFull = true; isFull; ) {
    await assertDeletable();
    const { rows } = await sql<{ lastId: ExecutionId | null; count: number }>`WITH deleted AS (
        DELETE FROM executions WHERE id IN (SELECT id FROM executions
          WHERE workflow_id = ${id} AND id > ${afterId} AND NOT status = ${anyOf(liveStatuses)}
          ORDER BY id LIMIT ${historyBatchSize} FOR UPDATE SKIP LOCKED) RETURNING id)
      SELECT max(id) AS "lastId", count(*)::int AS count FROM deleted`.execute(db);
    const [{ lastId, count } = { lastId: null, count: 0 }] = rows;
    isFull = count === historyBatchSize;
    afterId = lastId ?? afterId;
  }
}
