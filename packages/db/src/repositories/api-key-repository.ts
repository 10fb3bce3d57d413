import { type InstanceRole, type ProjectRole, randomId, type Scope } from '@sluice/domain';
import { type Kysely, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { hashApiKey, redactApiKey } from '../api-key-format.ts';
import type { Tables } from '../tables/tables.ts';

export interface NewApiKey {
  userId: string;
  label: string;
  /** The whole key; only its hash and its ends are stored. */
  rawKey: string;
  scopes: readonly Scope[];
  /** Null: never. */
  expiresAt: Date | null;
}

/** A key with what its user may do, as one look-up finds it. */
export interface AuthenticatedKey {
  id: string;
  userId: string;
  role: InstanceRole;
  scopes: Scope[];
  expired: boolean;
  revoked: boolean;
  memberships: { projectId: string; role: ProjectRole; type: 'personal' | 'team' }[];
}

export class ApiKeyRepository {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /** Stores a key; one that is stored already, revoked ones included, stays as it is. Resolves to whether it was new. */
  async create({ userId, label, rawKey, scopes, expiresAt }: NewApiKey): Promise<boolean> {
    const inserted = await this.#db
      .insertInto('api_keys')
      .values({
        id: randomId(),
        user_id: userId,
        label,
        key_hash: hashApiKey(rawKey),
        redacted_key: redactApiKey(rawKey),
        scopes: [...scopes],
        expires_at: expiresAt,
      })
      .onConflict((conflict) => conflict.column('key_hash').doNothing())
      .returning('id')
      .executeTakeFirst();
    return inserted !== undefined;
  }

  /** Whether anybody has a key that is not revoked. */
  async anyUsable(): Promise<boolean> {
    const key = await this.#db.selectFrom('api_keys').select('id').where('revoked_at', 'is', null).limit(1).executeTakeFirst();
    return key !== undefined;
  }

  /** Revoked and expired keys are found too: they get answers of their own. */
  async findByRawKey(rawKey: string): Promise<AuthenticatedKey | undefined> {
    const row = await this.#db
      .selectFrom('api_keys as k')
      .innerJoin('users as u', 'u.id', 'k.user_id')
      .where('k.key_hash', '=', hashApiKey(rawKey))
      .select(['k.id', 'k.user_id as userId', 'u.role', 'k.scopes'])
      .select([
        sql<boolean>`coalesce(k.expires_at <= now(), false)`.as('expired'),
        sql<boolean>`k.revoked_at IS NOT NULL`.as('revoked'),
      ])
      .select((eb) =>
        jsonArrayFrom(
          eb
            .selectFrom('project_members as m')
            .innerJoin('projects as p', 'p.id', 'm.project_id')
            .whereRef('m.user_id', '=', 'u.id')
            .select(['m.project_id as projectId', 'm.role', 'p.type']),
        ).as('memberships'),
      )
      .executeTakeFirst();
    return row;
  }

  /** For ever: the hash stays, so that the key goes on answering 403. */
  async revoke(id: string): Promise<void> {
    await this.#db
      .updateTable('api_keys')
      .set({ revoked_at: sql`now()`, updated_at: sql`now()` })
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .execute();
  }
}
