import { ConflictError, type ExecutionId } from '@sluice/domain';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Tables } from '../../tables/tables.ts';

/** A caller's token for a start or a retry (Contract 4.4). */
export interface IdempotencyKey {
  userId: string;
  /** Path of the HTTP request. */
  path: string;
  key: string;
}

/**
 * `repeated`: the key was already used within 24 hours, and `id` is the execution that it started
 * then.
 */
export interface StartedOnce {
  id: ExecutionId;
  repeated: boolean;
}

/**
 * Binds the key to the new execution `id`. If the key has started another execution within 24
 * hours, deletes `id` and returns the other one.
 */
export async function claimKey(
  tx: Transaction<Tables>,
  { userId, path, key }: IdempotencyKey,
  id: ExecutionId,
): Promise<StartedOnce> {
  const { rows } = await sql<{ execution_id: ExecutionId }>`
    INSERT INTO idempotency_keys AS k (user_id, path, key, execution_id) VALUES (${userId}, ${path}, ${key}, ${id})
    ON CONFLICT (user_id, path, key) DO UPDATE SET execution_id = excluded.execution_id, created_at = now()
      WHERE k.created_at < now() - interval '24 hours'
    RETURNING execution_id`.execute(tx);
  if (rows.length > 0) return { id, repeated: false };
  await tx.deleteFrom('executions').where('id', '=', id).execute();
  const first = await findStarted(tx, { userId, path, key });
  if (first === undefined) throw new Error('an idempotency key in use has no execution');
  return { id: first, repeated: true };
}

/**
 * The execution that the key started within 24 hours. Throws `ConflictError` if it has been
 * deleted: it is not started again.
 */
export async function findStarted(db: Kysely<Tables>, { userId, path, key }: IdempotencyKey): Promise<ExecutionId | undefined> {
  const row = await db
    .selectFrom('idempotency_keys as k')
    .leftJoin('executions as e', 'e.id', 'k.execution_id')
    .select(['k.execution_id', 'e.id as existing'])
    .where('k.user_id', '=', userId)
    .where('k.path', '=', path)
    .where('k.key', '=', key)
    .where('k.created_at', '>=', sql<Date>`now() - interval '24 hours'`)
    .executeTakeFirst();
  return row && startedByKey(row);
}

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
