import type { WorkflowId } from '@sluice/domain';
import type { Transaction } from 'kysely';
import type { Tables } from './tables/tables.ts';

/**
 * A separate statement: if it also joined the version, it would look for the old version after
 * waiting for the lock, and find nothing.
 */
export async function lockWorkflow(tx: Transaction<Tables>, id: WorkflowId): Promise<void> {
  await tx.selectFrom('workflows').select('id').where('id', '=', id).forUpdate().execute();
}
