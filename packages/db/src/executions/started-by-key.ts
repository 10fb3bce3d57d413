import { ConflictError, type ExecutionId } from '@sluice/domain';

/** What an idempotency key has started. Throws `ConflictError` where that has been deleted: it is not started again. */
export function startedByKey({
  execution_id: id,
  existing,
}: {
  execution_id: ExecutionId;
  existing: string | null;
}): ExecutionId {
  if (existing !== null) return id;
  const message = `the idempotency key has started execution ${id}, which has been deleted`;
  throw new ConflictError(message, 'IDEMPOTENCY_KEY_EXECUTION_DELETED');
}
