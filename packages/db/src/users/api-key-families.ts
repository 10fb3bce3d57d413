import { ForbiddenError, invalidRequest, type Scope, UnauthorizedError } from '@sluice/domain';
import { sql, type Transaction } from 'kysely';
import { anyOf } from '../access.ts';
import { touched } from '../statements/touched.ts';
import type { Tables } from '../tables/tables.ts';

/**
 * Locks the oldest ancestor of each key, so creations and revocations in one family take turns and
 * no key is created with a key that is being revoked. Ancestors never change.
 */
export async function lockFamilies(tx: Transaction<Tables>, ids: readonly string[]): Promise<void> {
  await sql`
    WITH RECURSIVE line AS (
      SELECT id, parent_id FROM api_keys WHERE id = ${anyOf(ids)}
      UNION SELECT k.id, k.parent_id FROM api_keys k JOIN line ON k.id = line.parent_id
    )
    SELECT FROM api_keys WHERE id IN (SELECT id FROM line WHERE parent_id IS NULL) ORDER BY id FOR UPDATE`.execute(tx);
}

/** The limits of a key that was created with another key. */
export interface ParentKey {
  expiresAt: Date | null;
  scopes: readonly Scope[];
}

/**
 * Throws `ForbiddenError` for a revoked key, and `UnauthorizedError` for a key that has expired
 * since the request was authenticated.
 */
export async function lockParent(tx: Transaction<Tables>, id: string): Promise<ParentKey> {
  await lockFamilies(tx, [id]);
  const parent = await tx
    .selectFrom('api_keys')
    .select(['expires_at as expiresAt', 'scopes', 'revoked_at as revokedAt'])
    .select(sql<boolean>`coalesce(expires_at <= clock_timestamp(), false)`.as('isExpired'))
    .where('id', '=', id)
    .executeTakeFirst();
  if (!parent || parent.revokedAt) throw new ForbiddenError('the API key has been revoked');
  if (parent.isExpired) throw new UnauthorizedError();
  return parent;
}

/** A requested expiry is kept or refused, never changed: the response repeats it (Contract 2.2). */
export function expiryBelow({ expiresAt: limit }: ParentKey, requested: Date | null): Date | null {
  if (!limit || !requested) return limit ?? requested;
  if (requested <= limit) return requested;
  const message = `must not be later than the expiry of the key that creates it, ${limit.getTime() / 1000}`;
  throw invalidRequest('/expiresAt', message);
}

/**
 * The scopes that a key may have: only scopes that its parent has now, which may be fewer than when
 * the request arrived.
 */
export function scopesBelow(parent: ParentKey | undefined, scopes: readonly Scope[]): Scope[] {
  const distinct = [...new Set(scopes)];
  return parent ? distinct.filter((scope) => parent.scopes.includes(scope)) : distinct;
}

/** The key that created this one; `undefined` if an operator did. */
export async function findParent(tx: Transaction<Tables>, id: string): Promise<ParentKey | undefined> {
  return tx
    .selectFrom('api_keys as child')
    .innerJoin('api_keys as parent', 'parent.id', 'child.parent_id')
    .where('child.id', '=', id)
    .select(['parent.expires_at as expiresAt', 'parent.scopes'])
    .executeTakeFirst();
}

/**
 * Removes scopes other than these from every descendant of this key. The caller has locked the
 * family.
 */
export async function narrowDescendants(tx: Transaction<Tables>, id: string, scopes: readonly Scope[]): Promise<void> {
  const keptScopes = sql`${[...scopes]}::text[]`;
  await sql`
    WITH RECURSIVE descendants AS (
      SELECT id FROM api_keys WHERE parent_id = ${id}
      UNION SELECT k.id FROM api_keys k JOIN descendants d ON k.parent_id = d.id
    )
    UPDATE api_keys
    SET scopes = ARRAY(SELECT s FROM unnest(scopes) WITH ORDINALITY AS held (s, place) WHERE s = ANY (${keptScopes}) ORDER BY place),
        updated_at = ${touched}
    WHERE id IN (SELECT id FROM descendants) AND NOT scopes <@ ${keptScopes}`.execute(tx);
}

export async function revokeWithDescendants(tx: Transaction<Tables>, ids: readonly string[]): Promise<void> {
  await sql`
    WITH RECURSIVE descendants AS (
      SELECT id FROM api_keys WHERE id = ${anyOf(ids)}
      UNION SELECT k.id FROM api_keys k JOIN descendants d ON k.parent_id = d.id
    )
    UPDATE api_keys SET revoked_at = clock_timestamp(), updated_at = ${touched}
    WHERE id IN (SELECT id FROM descendants) AND revoked_at IS NULL`.execute(tx);
}
