import { sql } from 'kysely';
import { type Access, anyOf } from '../access.ts';
import type { selectHead } from './credential-rows.ts';
import { isSharedWith, isVisibleTo } from './credential-visibility.ts';

export interface CredentialFilter {
  /** Part of the name, in any case. */
  name?: string | undefined;
  /** One type, or any of several types. */
  type?: string | readonly string[] | undefined;
  projectId?: string | undefined;
  /** False excludes global credentials. */
  includeGlobal?: boolean | undefined;
  /**
   * The caller's own projects: only credentials of other projects, shared with them or global, are
   * listed.
   */
  sharedWith?: Access | undefined;
}

type ListQuery = ReturnType<typeof selectHead>;

/** The matching credentials that are visible to `access`, newest first. */
export function filtered<Q extends ListQuery>(query: Q, filter: CredentialFilter, access: Access): Q {
  const { name, type, projectId, includeGlobal = true, sharedWith } = filter;
  let found: ListQuery = query.where(isVisibleTo(access)).orderBy('c.created_at', 'desc').orderBy('c.id', 'desc');
  if (name !== undefined) found = found.where(sql<boolean>`strpos(lower(c.name), lower(${name})) > 0`);
  if (type !== undefined) found = found.where('c.type', '=', anyOf([type].flat()));
  if (projectId !== undefined) found = found.where('c.project_id', '=', projectId);
  if (!includeGlobal) found = found.where('c.is_global', '=', false);
  if (sharedWith) found = found.where(comesFromElsewhere(sharedWith));
  return found as Q;
}

/** Owned by another project, and either shared with one of these projects or global. */
function comesFromElsewhere({ projectIds }: Access) {
  if (projectIds === 'all') return sql<boolean>`false`;
  const mine = anyOf(projectIds);
  return sql<boolean>`(NOT c.project_id = ${mine} AND (c.is_global OR ${isSharedWith(mine)}))`;
}
