import { timingSafeEqual } from 'node:crypto';
import { type InstanceRole, NotFoundError, type ProjectRole, randomId, type Scope, shownId } from '@sluice/domain';
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { anyOf } from '../access.ts';
import { inTransaction } from '../statements/in-transaction.ts';
import { touched } from '../statements/touched.ts';
import type { Tables } from '../tables/tables.ts';
import type { ApiKeyTable } from '../tables/user-tables.ts';
import {
  expiryBelow,
  findParent,
  lockFamilies,
  lockParent,
  narrowDescendants,
  type ParentKey,
  revokeWithDescendants,
  scopesBelow,
} from './api-key-families.ts';
import { hashApiKey, redactApiKey } from './api-key-format.ts';

export interface NewApiKey {
  userId: string;
  label: string;
  /** The whole key; only its hash and its first and last characters are stored. */
  rawKey: string;
  scopes: readonly Scope[];
  /** Null if it never expires. */
  expiresAt: Date | null;
  /** Id of the key that creates it; absent if an operator creates it, or a user in a session. */
  parentId?: string | undefined;
  /** Whether it is the key of a session. Default: false. */
  isSession?: boolean;
}

/** Keys that limit a change of another key. */
export interface KeyLimits {
  /** The request's own key. */
  changer: ApiKey | undefined;
  /** The key that created the changed one. */
  parent: ParentKey | undefined;
}

/** A key as shown to its user. */
export interface ApiKey {
  id: string;
  userId: string;
  label: string;
  redactedKey: string;
  isSession: boolean;
  /** The requested scopes; the license may grant more. */
  scopes: Scope[];
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

/** A key with its user's permissions, read by one lookup. */
export interface AuthenticatedKey {
  id: string;
  userId: string;
  email: string;
  role: InstanceRole;
  isSession: boolean;
  scopes: Scope[];
  /** Milliseconds by the database's clock, negative after expiry; null: never expires. */
  expiresInMs: number | null;
  /** `isPersonal`: whether it is the user's personal project. */
  memberships: { projectId: string; role: ProjectRole; isPersonal: boolean }[];
}

/** Result of looking up the key of a request. */
export type KeyLookup =
  | { state: 'unknown' }
  | { state: 'revoked'; id: string; userId: string | null }
  | { state: 'known'; key: AuthenticatedKey };

export class ApiKeyRepository {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /** Stores a new key (`generateApiKey`). Throws as `createUnlessKnown`. */
  async create(key: NewApiKey): Promise<ApiKey> {
    const created = await this.createUnlessKnown(key);
    if (!created) throw new Error('a newly generated key already exists'); // 238 random bits
    return created;
  }

  /**
   * Stores a key. `undefined`: the key exists already, possibly revoked, and is unchanged. A key
   * with a parent expires with the parent at the latest, and gets only scopes of the parent. Throws
   * `ValidationError` for a later expiry, and `ForbiddenError` if the parent has been revoked.
   */
  async createUnlessKnown({
    userId,
    label,
    rawKey,
    scopes,
    parentId,
    isSession = false,
    ...key
  }: NewApiKey): Promise<ApiKey | undefined> {
    return inTransaction(this.#db, async (tx) => {
      const parent = parentId === undefined ? undefined : await lockParent(tx, parentId);
      const expiresAt = parent ? expiryBelow(parent, key.expiresAt) : key.expiresAt;
      const inserted = await tx
        .insertInto('api_keys')
        .values({
          id: randomId(),
          user_id: userId,
          parent_id: parentId ?? null,
          label,
          is_session: isSession,
          key_hash: hashApiKey(rawKey),
          redacted_key: redactApiKey(rawKey),
          scopes: scopesBelow(parent, scopes),
          expires_at: expiresAt,
        })
        .onConflict((conflict) => conflict.column('key_hash').doNothing())
        .returningAll()
        .executeTakeFirst();
      return inserted && toApiKey(inserted);
    });
  }

  /** Whether any key is not revoked; sessions do not count. */
  async anyUsable(): Promise<boolean> {
    const key = await this.#db
      .selectFrom('api_keys')
      .select('id')
      .where('revoked_at', 'is', null)
      .where('is_session', '=', false)
      .limit(1)
      .executeTakeFirst();
    return key !== undefined;
  }

  /** Newest first, without revoked keys and sessions. */
  async listOf(userId: string): Promise<ApiKey[]> {
    const rows = await this.#db
      .selectFrom('api_keys')
      .selectAll()
      .where('user_id', '=', userId)
      .where('revoked_at', 'is', null)
      .where('is_session', '=', false)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .execute();
    return rows.map(toApiKey);
  }

  /**
   * Changes a key, and removes the scopes that it loses from every key created with it. `revise`
   * receives the locked key and the keys that limit the change, and throws to refuse. `changedBy`
   * is the request's own key. Throws `NotFoundError`.
   */
  async update(
    id: string,
    userId: string,
    revise: (key: ApiKey, limits: KeyLimits) => { label?: string | undefined; scopes?: readonly Scope[] | undefined },
    changedBy?: string,
  ): Promise<ApiKey> {
    return inTransaction(this.#db, async (tx) => {
      await lockFamilies(tx, changedBy === undefined ? [id] : [id, changedBy]);
      const key = await lock(tx, id, userId);
      const limits = { changer: await findKey(tx, changedBy), parent: await findParent(tx, id) };
      const { label, scopes } = revise(key, limits);
      const keptScopes = scopes && scopesBelow(limits.parent, scopes);
      const row = await tx
        .updateTable('api_keys')
        .set({
          ...(label === undefined ? {} : { label }),
          ...(keptScopes && { scopes: keptScopes }),
          updated_at: touched,
        })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow();
      if (keptScopes) await narrowDescendants(tx, id, keptScopes);
      return toApiKey(row);
    });
  }

  /**
   * Revokes the key and every key created with it, permanently: the hashes are kept, so that these
   * keys still get 403. `check` throws to refuse. Throws `NotFoundError`.
   */
  async revoke(id: string, userId: string, check: (key: ApiKey) => void): Promise<ApiKey> {
    return inTransaction(this.#db, async (tx) => {
      await lockFamilies(tx, [id]);
      const key = await lock(tx, id, userId);
      check(key);
      await revokeWithDescendants(tx, [id]);
      return key;
    });
  }

  /** For the deletion of a user; keys that were created with the user's keys are revoked, too. */
  async revokeAllOf(userId: string): Promise<void> {
    return inTransaction(this.#db, async (tx) => {
      const rows = await tx.selectFrom('api_keys').select('id').where('user_id', '=', userId).execute();
      const ids = rows.map(({ id }) => id);
      await lockFamilies(tx, ids);
      await revokeWithDescendants(tx, ids);
    });
  }

  async findByRawKey(rawKey: string): Promise<KeyLookup> {
    const hash = hashApiKey(rawKey);
    const row = await this.#db
      .selectFrom('api_keys as k')
      .leftJoin('users as u', 'u.id', 'k.user_id')
      .where('k.key_hash', '=', hash)
      .select(['k.id', 'k.key_hash', 'k.user_id', 'k.scopes', 'k.revoked_at', 'k.is_session', 'u.email', 'u.role'])
      .select(sql<number | null>`(extract(epoch FROM k.expires_at - clock_timestamp()) * 1000)::float8`.as('expiresInMs'))
      .select((eb) =>
        jsonArrayFrom(
          eb
            .selectFrom('project_members as m')
            .innerJoin('projects as p', 'p.id', 'm.project_id')
            .whereRef('m.user_id', '=', 'u.id')
            .select([
              'm.project_id as projectId',
              'm.role',
              sql<boolean>`p.owner_id IS NOT DISTINCT FROM m.user_id`.as('isPersonal'),
            ]),
        ).as('memberships'),
      )
      .executeTakeFirst();
    if (!row || !timingSafeEqual(row.key_hash, hash)) return { state: 'unknown' };
    const { id, user_id: userId, email, role, is_session: isSession, scopes, expiresInMs, memberships } = row;
    if (row.revoked_at || !userId || !email || !role) return { state: 'revoked', id, userId };
    return { state: 'known', key: { id, userId, email, role, isSession, scopes, expiresInMs, memberships } };
  }

  /**
   * Records that the keys were used now. A use within `minAgeMs` of the last recorded use is
   * skipped, so the limit applies to all processes together.
   */
  async touch(ids: readonly string[], minAgeMs: number): Promise<void> {
    await this.#db
      .updateTable('api_keys')
      .set({ last_used_at: sql`now()` })
      .where('id', '=', anyOf(ids))
      .where(sql<boolean>`coalesce(last_used_at < now() - ${minAgeMs} * interval '1 millisecond', true)`)
      .execute();
  }
}

async function findKey(tx: Transaction<Tables>, id: string | undefined): Promise<ApiKey | undefined> {
  if (id === undefined) return undefined;
  const row = await tx.selectFrom('api_keys').selectAll().where('id', '=', id).executeTakeFirst();
  return row && toApiKey(row);
}

async function lock(tx: Transaction<Tables>, id: string, userId: string): Promise<ApiKey> {
  const row = await tx
    .selectFrom('api_keys')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where('is_session', '=', false)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw new NotFoundError(`API key ${shownId(id)} does not exist`);
  return toApiKey(row);
}

/** Only revoked keys outlive their user, and no caller requests those. */
function ownerOf({ id, user_id }: Selectable<ApiKeyTable>): string {
  if (user_id === null) throw new Error(`the user of API key ${id} has been deleted`);
  return user_id;
}

function toApiKey(row: Selectable<ApiKeyTable>): ApiKey {
  return {
    id: row.id,
    userId: ownerOf(row),
    label: row.label,
    redactedKey: row.redacted_key,
    isSession: row.is_session,
    scopes: row.scopes,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
