import { type ExpressionBuilder, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';

/** A position in a list: the last entry of the previous page. */
export interface ListPosition {
  /** Microseconds since the epoch. */
  createdAtUs: string;
  id: string;
}

/** One page of a list, newest first by creation time. */
export interface NewestFirst {
  limit: number;
  after?: ListPosition | undefined;
}

/** Microseconds since the epoch: exact, unlike a `Date`. */
export function microsecondsOf(column: string): RawBuilder<string> {
  return sql<string>`(extract(epoch FROM ${sql.ref(column)}) * 1000000)::bigint::text`;
}

/** Orders and limits by the `created_at` and `id` of the table with this alias. */
export function newestFirst<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  alias: string,
  { limit, after }: NewestFirst,
): SelectQueryBuilder<DB, TB, O> {
  const [createdAt, id] = [sql.ref(`${alias}.created_at`), sql.ref(`${alias}.id`)];
  const ordered = query.orderBy(createdAt, 'desc').orderBy(id, 'desc').limit(limit);
  if (!after) return ordered;
  const instant = sql`'epoch'::timestamptz + ${after.createdAtUs}::bigint * interval '1 microsecond'`;
  return ordered.where((_: ExpressionBuilder<DB, TB>) => sql<boolean>`(${createdAt}, ${id}) < (${instant}, ${after.id})`);
}
