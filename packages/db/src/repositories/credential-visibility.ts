import { type RawBuilder, sql } from 'kysely';
import { type Access, anyOf } from '../access.ts';

/**
 * Whether credential `c` may be read and used from some projects: they own it, it is shared with
 * one of them, or it is global.
 *
 * @param projects compared with project ids: `anyOf(ids)`, or a column.
 */
export function isUsableFrom(projects: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(c.project_id = ${projects} OR c.is_global OR ${isSharedWith(projects)})`;
}

/** Whether credential `c` is shared with one of some projects. */
export function isSharedWith(projects: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`EXISTS (SELECT FROM credential_shares s WHERE s.credential_id = c.id AND s.project_id = ${projects})`;
}

/** Whether a caller with this access may read and use credential `c`. */
export function isVisibleTo({ projectIds }: Access): RawBuilder<boolean> {
  return projectIds === 'all' ? sql<boolean>`true` : isUsableFrom(anyOf(projectIds));
}
