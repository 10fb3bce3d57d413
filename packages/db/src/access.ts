import { type RawBuilder, sql } from 'kysely';

/** The projects a caller may use for what it asks: every scoped read takes one, so that no unscoped read exists. */
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

/** `= any(…)` over texts: one parameter whatever their number, and right for none at all. */
export function anyOf(texts: Iterable<string>): RawBuilder<string> {
  return sql<string>`any(${[...texts]}::text[])`;
}
