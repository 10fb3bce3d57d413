import { type RawBuilder, sql } from 'kysely';

/**
 * Whether a worker with these node types of installed packages can handle a row that needs
 * `foreignType`; null: no such type is needed. After a minute in which no worker had the type, any
 * worker may claim the row; it fails there, visibly to users.
 */
export function isForWorker(foreignType: RawBuilder<unknown>, nodeTypes: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`(${foreignType} IS NULL OR ${foreignType} = ANY (${nodeTypes}::text[]) OR NOT EXISTS (
    SELECT FROM worker_types o WHERE o.seen_at > now() - interval '60 seconds' AND ${foreignType} = ANY (o.types)))`;
}
