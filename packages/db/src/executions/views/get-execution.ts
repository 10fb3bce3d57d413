import { type ExecutionId, ForbiddenError, isExecutionId, NotFoundError, shownId } from '@sluice/domain';
import type { Kysely, Selectable, Transaction } from 'kysely';
import type { Access } from '../../access.ts';
import { owningProject } from '../../executions/row/owning-project.ts';
import type { ExecutionTable } from '../../tables/execution-tables.ts';
import type { Tables } from '../../tables/tables.ts';
import { type Execution, toExecution } from '../row/execution.ts';

/** Throws `NotFoundError`, or `ForbiddenError` for an execution in a project outside `access`. */
export async function getExecution(db: Kysely<Tables>, id: ExecutionId, access: Access): Promise<Execution> {
  const row = isExecutionId(id) ? await selectExecutions(db).where('id', '=', id).executeTakeFirst() : undefined;
  return accessible(id, access, row && toOwned(row));
}

/**
 * Like `getExecution`, and prevents the deletion of the execution until the end of the transaction.
 * Waits for a deletion in progress.
 */
export async function keepExecution(tx: Transaction<Tables>, id: ExecutionId, access: Access): Promise<Execution> {
  if (isExecutionId(id)) await tx.selectFrom('executions').select('id').where('id', '=', id).forKeyShare().execute();
  return getExecution(tx, id, access);
}

export function selectExecutions(db: Kysely<Tables>) {
  return db.selectFrom('executions').selectAll().select(owningProject.as('owner'));
}

/** `owner`: the project of its workflow. */
export interface OwnedRow extends Selectable<ExecutionTable> {
  owner: string;
}

export function toOwned(row: OwnedRow): Execution {
  return { ...toExecution(row), projectId: row.owner };
}

/** Returns the execution if `access` may see it. Throws the errors of `getExecution`. */
export function accessible<T extends Execution>(id: ExecutionId, access: Access, execution: T | undefined): T {
  if (!execution) throw new NotFoundError(`execution ${shownId(id)} does not exist`);
  if (!access.includes(execution.projectId))
    throw new ForbiddenError(`execution ${id} is not accessible with the role that this needs`);
  return execution;
}
