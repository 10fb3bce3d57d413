import { createHash } from 'node:crypto';
import type { WorkflowId } from '@sluice/domain';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Tables } from '../tables/tables.ts';

/** Owner of a history: `''` for the workflow's own, or the key of one of its nodes. */
export interface HistoryOwner {
  workflowId: WorkflowId;
  scope: string;
}

export type MarkKind = 'number' | 'date';

/**
 * Values that executions of a workflow have seen. Each method is one transaction; if two see a
 * value concurrently, it is new for only one of them. Deleted with the workflow.
 */
export class SeenHistoryRepository {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /**
   * For each value, whether it is new; a repeat within `values` is not. Keeps the `limit` values
   * that were first seen most recently.
   */
  async add(owner: HistoryOwner, values: readonly string[], limit: number): Promise<boolean[]> {
    if (values.length === 0) return [];
    const hashes = values.map((value) => createHash('sha256').update(value).digest());
    const unseen = await this.#db.transaction().execute(async (tx) => {
      const inserted = await insertUnseen(tx, owner, hashes);
      if (inserted.length > 0) await trim(tx, owner, limit);
      return new Set(inserted.map((hash) => hash.toString('hex')));
    });
    return hashes.map((hash) => unseen.delete(hash.toString('hex')));
  }

  /** For each value, whether it is above the mark; raises the mark to the greatest value. */
  async passMark({ workflowId, scope }: HistoryOwner, kind: MarkKind, values: readonly number[]): Promise<boolean[]> {
    if (values.length === 0) return [];
    const greatest = values.reduce((most, value) => Math.max(most, value));
    const before = await this.#db.transaction().execute(async (tx) => {
      const { rows: fresh } = await sql`
        INSERT INTO seen_marks (workflow_id, scope, kind, mark) VALUES (${workflowId}, ${scope}, ${kind}, ${greatest})
        ON CONFLICT DO NOTHING RETURNING mark`.execute(tx);
      if (fresh.length > 0) return Number.NEGATIVE_INFINITY;
      const key = sql`(workflow_id, scope, kind) = (${workflowId}, ${scope}, ${kind})`;
      const { rows } = await sql<{ mark: number }>`SELECT mark FROM seen_marks WHERE ${key} FOR UPDATE`.execute(tx);
      await sql`UPDATE seen_marks SET mark = ${greatest} WHERE ${key} AND mark < ${greatest}`.execute(tx);
      return rows[0]?.mark ?? Number.NEGATIVE_INFINITY;
    });
    return values.map((value) => value > before);
  }

  /** Forgets the values and marks of a scope. */
  async clear({ workflowId, scope }: HistoryOwner): Promise<void> {
    await this.#db.transaction().execute(async (tx) => {
      await tx.deleteFrom('seen_values').where('workflow_id', '=', workflowId).where('scope', '=', scope).execute();
      await tx.deleteFrom('seen_marks').where('workflow_id', '=', workflowId).where('scope', '=', scope).execute();
    });
  }
}

/**
 * Inserts in the order of the hashes, so that concurrent calls cannot deadlock. Resolves to the
 * values that were new.
 */
async function insertUnseen(tx: Transaction<Tables>, { workflowId, scope }: HistoryOwner, hashes: Buffer[]): Promise<Buffer[]> {
  const { rows } = await sql<{ hash: Buffer }>`
    INSERT INTO seen_values (workflow_id, scope, hash, seen_at, position)
    SELECT ${workflowId}, ${scope}, hash, now(), min(ord) FROM unnest(${hashes}::bytea[]) WITH ORDINALITY AS v (hash, ord)
    GROUP BY hash ORDER BY hash
    ON CONFLICT DO NOTHING RETURNING hash`.execute(tx);
  return rows.map(({ hash }) => hash);
}

/** Skips rows that another transaction is deleting. */
async function trim(tx: Transaction<Tables>, { workflowId, scope }: HistoryOwner, limit: number): Promise<void> {
  await sql`
    DELETE FROM seen_values WHERE (workflow_id, scope) = (${workflowId}, ${scope}) AND hash IN (
      SELECT hash FROM seen_values WHERE (workflow_id, scope) = (${workflowId}, ${scope})
      ORDER BY seen_at DESC, position DESC OFFSET ${limit} FOR UPDATE SKIP LOCKED)`.execute(tx);
}
