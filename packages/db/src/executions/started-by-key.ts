import { ConflictError, type ExecutionId } from '@sluice/domain';

/**
 * The execution that an idempotency key started. Throws `ConflictError` if it has been deleted: it
 * is not started again.
 */
export function startedByKey({
  execution_id: id,
  existing,
}: {
  execution_id: ExecutionId;
  existing: string | null;
}): ExecutionId {
  if (existing !== null) return id;
  const message = `the idempotency key started execution ${id}, which has been deleted`;
  throw new ConflictError(message, 'IDEMPOTENCY_KEY_EXECUTION_DELETED');
}
