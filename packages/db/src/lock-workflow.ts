import type { WorkflowId } from '@sluice/domain';
import type { Transaction } from 'kysely';
import type { Tables } from './tables/tables.ts';

/**
 * A separate statement: one that also joins the version would, after waiting for the lock, look for
 * the old version and find nothing.
 */
export async function lockWorkflow(tx: Transaction<Tables>, id: WorkflowId): Promise<void> {
  await tx.selectFrom('workflows').select('id').where('id', '=', id).forUpdate().execute();
}
