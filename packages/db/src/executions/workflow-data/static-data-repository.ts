import { AppError, globalStaticDataKey, type JsonObject, stringifyJson, type WorkerId, type WorkflowId } from '@sluice/domain';
import { type Kysely, sql } from 'kysely';
import { inTransaction } from '../../statements/in-transaction.ts';
import { type RepeatedWrite, writeOnce } from '../../statements/write-once.ts';
import type { Tables } from '../../tables/tables.ts';
import type { AttemptRef } from '../row/attempt-ref.ts';

/** Maximum bytes of one workflow's static data, as JSON. */
const maxBytes = 4 * 1024 * 1024;

/** A workflow's nodes keep more data between runs than the limit allows. */
class StaticDataTooLargeError extends AppError {
  constructor(bytes: number) {
    super({
      code: 'STATIC_DATA_TOO_LARGE',
      message: `the workflow's static data would be ${bytes} bytes; the maximum is ${maxBytes}`,
    });
  }
}

/** Data that the nodes of a workflow keep between executions. */
export class StaticDataRepository {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /** Null also if the workflow has been deleted. */
  async read(workflowId: WorkflowId): Promise<JsonObject | null> {
    const row = await this.#db.selectFrom('workflows').select('static_data').where('id', '=', workflowId).executeTakeFirst();
    return row?.static_data ?? null;
  }

  /**
   * Merges the parts that an execution changed into the stored data: per part, the last writer
   * wins; other parts are kept. A retry of a manual run is a test, like its original, and stores
   * nothing. False, with nothing written, if this worker no longer owns the execution. A caller
   * that repeats a call passes the same `write`, so that it does not overwrite a later write.
   * Throws `StaticDataTooLargeError`.
   */
  async save(
    ref: AttemptRef & { workflowId: WorkflowId },
    workerId: WorkerId,
    changed: JsonObject,
    write: RepeatedWrite<boolean> = {},
  ): Promise<boolean> {
    return writeOnce(this.#db, write, async (tx) => {
      // A separate statement: if it also read the execution, it would read the state from before it
      // waited for the lock.
      await tx.selectFrom('workflows').select('id').where('id', '=', ref.workflowId).forNoKeyUpdate().execute();
      const { rows } = await sql<{ static_data: JsonObject | null; by_hand: boolean }>`
        WITH RECURSIVE origin AS (
          SELECT o.mode, o.retry_of FROM executions r JOIN executions o ON o.id = r.retry_of WHERE r.id = ${ref.executionId}
          UNION ALL
          SELECT e.mode, e.retry_of FROM origin o JOIN executions e ON e.id = o.retry_of
        )
        SELECT w.static_data, EXISTS (SELECT FROM origin WHERE mode = 'manual') AS by_hand FROM workflows w JOIN executions e ON e.workflow_id = w.id
        WHERE w.id = ${ref.workflowId} AND e.id = ${ref.executionId} AND e.attempt = ${ref.attempt}
          AND e.worker_id = ${workerId} AND e.status = 'running'`.execute(tx);
      const [row] = rows;
      if (!row) return false;
      if (row.by_hand) return true;
      await writeParts(tx, ref.workflowId, row.static_data, changed);
      return true;
    });
  }

  /**
   * Replaces the part that all nodes share, for a request that starts no execution; does nothing if
   * the workflow has been deleted. Throws `StaticDataTooLargeError`.
   */
  async saveShared(workflowId: WorkflowId, shared: JsonObject): Promise<void> {
    await inTransaction(this.#db, (tx) => saveSharedData(tx, workflowId, shared));
  }
}

/** The same, within a transaction. */
export async function saveSharedData(tx: Kysely<Tables>, workflowId: WorkflowId, shared: JsonObject): Promise<void> {
  const row = await tx
    .selectFrom('workflows')
    .select('static_data')
    .where('id', '=', workflowId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (row) await writeParts(tx, workflowId, row.static_data, { [globalStaticDataKey]: shared });
}

async function writeParts(
  tx: Kysely<Tables>,
  workflowId: WorkflowId,
  stored: JsonObject | null,
  changed: JsonObject,
): Promise<void> {
  const json = await stringifyJson({ ...stored, ...changed });
  if (Buffer.byteLength(json) > maxBytes) throw new StaticDataTooLargeError(Buffer.byteLength(json));
  await tx.updateTable('workflows').set({ static_data: json }).where('id', '=', workflowId).execute();
}
