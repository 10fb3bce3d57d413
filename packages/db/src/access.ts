import { type RawBuilder, sql } from 'kysely';

/**
 * The projects that a caller may use for a request. Every scoped read requires an `Access`, so
 * unscoped reads do not exist.
 */
export class Access {
  /** `all`: owners and admins of the instance. */
  readonly projectIds: 'all' | ReadonlySet<string>;

  constructor(projectIds: 'all' | Iterable<string>) {
    this.projectIds = projectIds === 'all' ? 'all' : new Set(projectIds);
  }

  includes(projectId: string): boolean {
    return this.projectIds === 'all' || this.projectIds.has(projectId);
  }
}

/** Whether the project in a column is one of the caller's. */
export function isAccessible({ projectIds }: Access, column: string): RawBuilder<boolean> {
  return projectIds === 'all' ? sql<boolean>`true` : sql<boolean>`${sql.ref(column)} = ${anyOf(projectIds)}`;
}

/**
 * `= any(…)` over strings: one parameter for any number of strings, correct for an empty list too.
 */
export function anyOf(texts: Iterable<string>): RawBuilder<string> {
  return sql<string>`any(${[...texts]}::text[])`;
}
