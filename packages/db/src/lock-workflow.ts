import type { WorkflowId } from '@sluice/domain';
import type { Transaction } from 'kysely';
import type { Tables } from './tables/tables.ts';

/**
 * A statement of its own: one that joined the version while it waits for the lock would look for the version of before and find
 * nothing.
 */
export async function lockWorkflow(tx: Transaction<Tables>, id: WorkflowId): Promise<void> {
  await tx.selectFrom('workflows').select('id').where('id', '=', id).forUpdate().execute();
}
