import type { ExecutionId } from '@sluice/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../connection/database.ts';
import { isBlocked, isCounted, isLimited } from '../executions/row/limits-of.ts';
import { constantSql } from '../statements/compiled.ts';
import { statement, value } from '../statements/statement.ts';
import type { Tables } from '../tables/tables.ts';

const anyLimitedStatement = statement({
  name: 'are-any-limited',
  byKey: true,
  parameters: { ids: value<readonly ExecutionId[]>('bigint[]') },
  text: ({ ids }) => `SELECT FROM unnest(${ids}) AS c (id) JOIN executions e ON e.id = c.id WHERE ${isLimited} LIMIT 1`,
});

/** Whether a limit applies to any of the executions. */
export async function areAnyLimited(db: Database, ids: readonly ExecutionId[]): Promise<boolean> {
  return (await db.query(anyLimitedStatement({ ids }))).length > 0;
}

/**
 * The limits that block executions, including removed ones. Reads one index entry per limit,
 * regardless of the number of executions it blocks.
 */
export async function listBlocking(db: Kysely<Tables>): Promise<number[]> {
  const next = (after: string) => `(SELECT b.limit_ids[1] AS id FROM executions b
    WHERE ${isBlocked('b')}${after} ORDER BY b.limit_ids[1] LIMIT 1)`;
  const { rows } = await sql<{ id: number }>`
    WITH RECURSIVE blocking AS (
      ${constantSql(next(''))}
      UNION ALL SELECT later.id FROM blocking, LATERAL ${constantSql(next(' AND b.limit_ids[1] > blocking.id'))} AS later
    ) SELECT id FROM blocking`.execute(db);
  return rows.map(({ id }) => id);
}

/** Executions to unblock at once, per limit. */
export const unblockBatchSize = 100;

/**
 * The oldest blocked executions of each limit, as many as its remaining capacity seems to
 * allow, or all if it has been removed.
 */
export async function nextBlocked(db: Kysely<Tables>, limitIds: readonly number[]): Promise<ExecutionId[]> {
  const { rows } = await sql<{ id: ExecutionId }>`
    SELECT blocked.id FROM unnest(${limitIds}::integer[]) AS wanted (id) LEFT JOIN execution_limits l ON l.id = wanted.id,
    LATERAL (
      SELECT count(*) FROM executions c WHERE ${constantSql(isCounted('c'))} AND c.limit_ids @> ARRAY[l.id] AND l.max_running IS NOT NULL
    ) AS counted, LATERAL (
      SELECT count(*) FROM unnest(l.starts) AS s WHERE s > clock_timestamp() - interval '1 second' AND s <= clock_timestamp()
    ) AS recent, LATERAL (
      SELECT b.id FROM executions b WHERE ${constantSql(isBlocked('b'))} AND b.limit_ids[1] = wanted.id ORDER BY b.id
      LIMIT greatest(0, least(${unblockBatchSize}::bigint, l.max_running - counted.count, l.per_second - recent.count))
    ) AS blocked`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Milliseconds until a per-second limit that blocks executions may have capacity; `undefined` if no
 * such limit blocks any.
 */
export async function nextCapacityMs(db: Kysely<Tables>, limitIds: readonly number[]): Promise<number | undefined> {
  const { rows } = await sql<{ ms: number | null }>`
    SELECT min(extract(epoch FROM oldest + interval '1 second' - clock_timestamp())::float8 * 1000) AS ms
    FROM execution_limits l, LATERAL (SELECT coalesce(min(s), clock_timestamp()) AS oldest FROM unnest(l.starts) AS s
      WHERE s > clock_timestamp() - interval '1 second' AND s <= clock_timestamp()) AS recent
    WHERE l.id = any(${limitIds}::integer[]) AND l.per_second IS NOT NULL
      AND EXISTS (SELECT FROM executions b WHERE ${constantSql(isBlocked('b'))} AND b.limit_ids[1] = l.id)`.execute(db);
  return rows[0]?.ms ?? undefined;
}
