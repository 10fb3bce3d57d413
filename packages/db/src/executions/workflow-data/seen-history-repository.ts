import { createHash } from 'node:crypto';
import { TimeSlice, type WorkflowId } from '@sluice/domain';
import { type Kysely, sql, type Transaction } from 'kysely';
import { type RepeatedWrite, writeOnce } from '../../statements/write-once.ts';
import type { Tables } from '../../tables/tables.ts';

/** Owner of a history: `''` for the workflow's own, or the key of one of its nodes. */
export interface HistoryOwner {
  workflowId: WorkflowId;
  scope: string;
}

export type MarkKind = 'number' | 'date';

/** Values per statement. */
const groupSize = 4_000;

/**
 * Values that executions of a workflow have seen. Each method is one transaction; if two see a
 * value concurrently, it is new for only one of them. A caller that repeats a call passes the same
 * `write`, so that no value is mistaken for one seen before. Deleted with the workflow.
 */
export class SeenHistoryRepository {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /**
   * For each value, whether it is new; duplicates within `values` are not. Keeps the `limit` values
   * that were first seen most recently.
   */
  async add(
    owner: HistoryOwner,
    values: readonly string[],
    limit: number,
    write: RepeatedWrite<ReadonlySet<string>> = {},
  ): Promise<boolean[]> {
    if (values.length === 0) return [];
    const { hashes, groups } = await hashed(values);
    const added = await writeOnce(this.#db, write, async (tx) => {
      const inserted = new Set<string>();
      for (const group of groups) for (const hash of await insertUnseen(tx, owner, group)) inserted.add(hash);
      if (inserted.size > 0) await trim(tx, owner, limit);
      return inserted;
    });
    const unseen = new Set(added);
    return hashes.map((hash) => unseen.delete(hash));
  }

  /** For each value, whether it is above the mark; raises the mark to the greatest value. */
  async passMark(
    { workflowId, scope }: HistoryOwner,
    kind: MarkKind,
    values: readonly number[],
    write: RepeatedWrite<number> = {},
  ): Promise<boolean[]> {
    if (values.length === 0) return [];
    const greatest = values.reduce((most, value) => Math.max(most, value));
    const before = await writeOnce(this.#db, write, async (tx) => {
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

interface PlacedHash {
  /** In hexadecimal digits. */
  hash: string;
  /** Index of the value in its list. */
  position: number;
}

/**
 * The hashes in the order of the values, and in ascending groups, each for one statement: a single
 * statement would block the event loop.
 */
async function hashed(values: readonly string[]): Promise<{ hashes: string[]; groups: PlacedHash[][] }> {
  const slice = new TimeSlice();
  const hashes: string[] = [];
  const byPrefix = Array.from({ length: Math.ceil(values.length / groupSize) }, (): PlacedHash[] => []);
  for (const [position, value] of values.entries()) {
    const hash = createHash('sha256').update(value).digest('hex');
    hashes.push(hash);
    const prefix = Number.parseInt(hash.slice(0, 8), 16) / 2 ** 32;
    byPrefix[Math.floor(prefix * byPrefix.length)]?.push({ hash, position });
    if (slice.isOver) await slice.next();
  }
  return { hashes, groups: byPrefix };
}

/**
 * Inserts in the order of the hashes, so that concurrent calls cannot deadlock. Resolves to the
 * hashes that were new.
 */
async function insertUnseen(
  tx: Transaction<Tables>,
  { workflowId, scope }: HistoryOwner,
  group: readonly PlacedHash[],
): Promise<string[]> {
  const { rows } = await sql<{ hash: string }>`
    INSERT INTO seen_values (workflow_id, scope, hash, seen_at, position)
    SELECT ${workflowId}, ${scope}, decode(hash, 'hex'), now(), min(position)
    FROM unnest(${group.map(({ hash }) => hash)}::text[], ${group.map(({ position }) => position)}::int[]) AS v (hash, position)
    GROUP BY hash ORDER BY hash COLLATE "C"
    ON CONFLICT DO NOTHING RETURNING encode(hash, 'hex') AS hash`.execute(tx);
  return rows.map(({ hash }) => hash);
}

/**
 * Runs in one transaction at a time, so that two cannot deadlock; remaining values are deleted by
 * the next one. The oldest value that is kept is read first: without statistics on a table that has
 * just grown, a plan that compares hashes takes quadratic time.
 */
async function trim(tx: Transaction<Tables>, { workflowId, scope }: HistoryOwner, limit: number): Promise<void> {
  const key = sql`(workflow_id, scope) = (${workflowId}, ${scope})`;
  const { rows } = await sql<{ free: boolean }>`
    SELECT pg_try_advisory_xact_lock(hashtextextended(${`${workflowId}/${scope}`}, 31)) AS free`.execute(tx);
  if (!rows[0]?.free) return;
  await sql`
    DELETE FROM seen_values WHERE ${key} AND (seen_at, position) < (
      SELECT seen_at, position FROM seen_values WHERE ${key} ORDER BY seen_at DESC, position DESC
      OFFSET ${limit - 1} LIMIT 1)`.execute(tx);
}
