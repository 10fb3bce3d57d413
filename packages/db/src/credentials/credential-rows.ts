import { type Kysely, type RawBuilder, sql } from 'kysely';
import { type Access, anyOf } from '../access.ts';
import type { CredentialLimits } from '../limits/put-limit.ts';
import type { Tables } from '../tables/tables.ts';
import { type SealedData, sealedColumns, toSealedData } from './sealed-data.ts';

/** A credential without its data. */
export interface CredentialHead extends CredentialLimits {
  id: string;
  /** The owning project. */
  projectId: string;
  name: string;
  type: string;
  isGlobal: boolean;
  isManaged: boolean;
  isResolvable: boolean;
  createdAt: Date;
  updatedAt: Date;
}

export interface Credential extends CredentialHead {
  sealed: SealedData;
}

function limitOf(column: 'max_running' | 'per_second') {
  return sql<number | null>`(SELECT ${sql.ref(`l.${column}`)} FROM execution_limits l WHERE l.credential_id = c.id)`;
}

/** Rows have the shape of `CredentialHead`. */
export function selectHead(db: Kysely<Tables>) {
  return db
    .selectFrom('credentials as c')
    .select([
      'c.id',
      'c.project_id as projectId',
      'c.name',
      'c.type',
      'c.is_global as isGlobal',
      'c.is_managed as isManaged',
      'c.is_resolvable as isResolvable',
      'c.created_at as createdAt',
      'c.updated_at as updatedAt',
    ])
    .select([limitOf('max_running').as('concurrency'), limitOf('per_second').as('ratePerSecond')]);
}

/** The same with the encrypted data, for `toCredential`. */
export function selectSealed(db: Kysely<Tables>) {
  return selectHead(db).select(sealedColumns.map((column) => `c.${column}` as const));
}

export function toCredential<T extends CredentialHead & Parameters<typeof toSealedData>[0]>(row: T): Credential {
  const { version, key_id, wrapped_dek, iv, ciphertext, tag, ...head } = row;
  return { ...head, sealed: toSealedData({ version, key_id, wrapped_dek, iv, ciphertext, tag }) };
}

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
function isSharedWith(projects: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`EXISTS (SELECT FROM credential_shares s WHERE s.credential_id = c.id AND s.project_id = ${projects})`;
}

/** Whether a caller with this access may read and use credential `c`. */
export function isVisibleTo({ projectIds }: Access): RawBuilder<boolean> {
  return projectIds === 'all' ? sql<boolean>`true` : isUsableFrom(anyOf(projectIds));
}

export interface CredentialFilter {
  ids?: readonly string[] | undefined;
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
  const { ids, name, type, projectId, includeGlobal = true, sharedWith } = filter;
  let filteredQuery: ListQuery = query.where(isVisibleTo(access)).orderBy('c.created_at', 'desc').orderBy('c.id', 'desc');
  if (ids !== undefined) filteredQuery = filteredQuery.where('c.id', '=', anyOf(ids));
  if (name !== undefined) filteredQuery = filteredQuery.where(sql<boolean>`strpos(lower(c.name), lower(${name})) > 0`);
  if (type !== undefined) filteredQuery = filteredQuery.where('c.type', '=', anyOf([type].flat()));
  if (projectId !== undefined) filteredQuery = filteredQuery.where('c.project_id', '=', projectId);
  if (!includeGlobal) filteredQuery = filteredQuery.where('c.is_global', '=', false);
  if (sharedWith) filteredQuery = filteredQuery.where(comesFromElsewhere(sharedWith));
  return filteredQuery as Q;
}

/** Owned by another project, and either shared with one of these projects or global. */
function comesFromElsewhere({ projectIds }: Access) {
  if (projectIds === 'all') return sql<boolean>`false`;
  const mine = anyOf(projectIds);
  return sql<boolean>`(NOT c.project_id = ${mine} AND (c.is_global OR ${isSharedWith(mine)}))`;
}
