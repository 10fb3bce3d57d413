import { subscriptionSecretType } from '@sluice/domain';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables/tables.ts';
import { type SealedData, sealedColumns, toSealedColumns, toSealedData } from './sealed-data.ts';

/** The part of a sealed record that a rotation of the master key rewraps. */
export interface WrappedCredential extends Pick<SealedData, 'version' | 'keyId' | 'wrappedDek'> {
  id: string;
  type: string;
}

/** The new wrapping of a data key, and the wrapping that it replaces. */
export interface Rewrapping {
  id: string;
  from: Buffer;
  to: Pick<SealedData, 'keyId' | 'wrappedDek'>;
}

const sealedRecords = sql`SELECT id, type, version, key_id, wrapped_dek FROM credentials
  UNION ALL SELECT id, ${subscriptionSecretType}, version, key_id, wrapped_dek FROM event_subscriptions`;

/**
 * The vault's tables: the canary, and the wrapping of data keys. No decrypted data is needed here.
 */
export class VaultKeyRepository {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /** Stores the canary if none exists. Resolves to the stored canary. */
  async getOrCreate(record: SealedData): Promise<SealedData> {
    await this.#db
      .insertInto('vault_canary')
      .values(toSealedColumns(record))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return toSealedData(await this.#db.selectFrom('vault_canary').select(sealedColumns).executeTakeFirstOrThrow());
  }

  /**
   * Credentials and secrets of event subscriptions that are wrapped by a key other than `keyId`,
   * ordered by id, starting after `afterId`.
   */
  async listWrappedByOthers(keyId: string, afterId: string, limit: number): Promise<WrappedCredential[]> {
    const { rows } = await sql<WrappedCredential>`
      SELECT id, type, version, key_id AS "keyId", wrapped_dek AS "wrappedDek" FROM (${sealedRecords}) AS sealed
      WHERE key_id <> ${keyId} AND id > ${afterId} ORDER BY id LIMIT ${limit}`.execute(this.#db);
    return rows;
  }

  /** Number of these that are wrapped by a key other than `keyId`. */
  async countWrappedByOthers(keyId: string): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      SELECT count(*)::int AS count FROM (${sealedRecords}) AS sealed WHERE key_id <> ${keyId}`.execute(this.#db);
    return rows[0]?.count ?? 0;
  }

  /**
   * Compare and set: replaces wrappings that have not changed since they were read. Resolves to
   * their number.
   */
  async replaceWrapped(changes: readonly Rewrapping[]): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      WITH n AS (
        SELECT * FROM unnest(${changes.map(({ id }) => id)}::text[], ${changes.map(({ from }) => from)}::bytea[],
          ${changes.map(({ to }) => to.keyId)}::text[], ${changes.map(({ to }) => to.wrappedDek)}::bytea[])
          AS changes (id, old_dek, key_id, wrapped_dek)
      ), credentials_written AS (
        UPDATE credentials c SET key_id = n.key_id, wrapped_dek = n.wrapped_dek
        FROM n WHERE c.id = n.id AND c.wrapped_dek = n.old_dek RETURNING c.id
      ), subscriptions_written AS (
        UPDATE event_subscriptions s SET key_id = n.key_id, wrapped_dek = n.wrapped_dek
        FROM n WHERE s.id = n.id AND s.wrapped_dek = n.old_dek RETURNING s.id
      )
      SELECT (SELECT count(*) FROM credentials_written)::int + (SELECT count(*) FROM subscriptions_written)::int AS count`.execute(
      this.#db,
    );
    return rows[0]?.count ?? 0;
  }

  /** Like `replaceWrapped`, for the canary. */
  async replaceCanary(from: Buffer, { keyId, wrappedDek }: Rewrapping['to']): Promise<boolean> {
    const replaced = await this.#db
      .updateTable('vault_canary')
      .set({ key_id: keyId, wrapped_dek: wrappedDek })
      .where('wrapped_dek', '=', from)
      .returning('key_id')
      .executeTakeFirst();
    return replaced !== undefined;
  }
}
