import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables/tables.ts';
import { type SealedData, sealedColumns, toSealedColumns, toSealedData } from './sealed-data.ts';

/** The part of a credential that a rotation of the master key rewraps. */
export interface WrappedCredential extends Pick<SealedData, 'version' | 'keyId' | 'wrappedDek'> {
  id: string;
  type: string;
}

/** The new wrapping of a data key, and the one that it replaces. */
export interface Rewrapping {
  id: string;
  from: Buffer;
  to: Pick<SealedData, 'keyId' | 'wrappedDek'>;
}

/**
 * The vault's tables: the canary, and the wrapping of data keys. No decrypted data is needed here.
 */
export class VaultKeyRepository {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /** Stores the canary unless there is one. Resolves to the stored one. */
  async getOrCreate(record: SealedData): Promise<SealedData> {
    await this.#db
      .insertInto('vault_canary')
      .values(toSealedColumns(record))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return toSealedData(await this.#db.selectFrom('vault_canary').select(sealedColumns).executeTakeFirstOrThrow());
  }

  /** Credentials wrapped by another key than `keyId`, ordered by id, starting after `afterId`. */
  async listWrappedByOthers(keyId: string, afterId: string, limit: number): Promise<WrappedCredential[]> {
    return this.#db
      .selectFrom('credentials')
      .select(['id', 'type', 'version', 'key_id as keyId', 'wrapped_dek as wrappedDek'])
      .where('key_id', '<>', keyId)
      .where('id', '>', afterId)
      .orderBy('id')
      .limit(limit)
      .execute();
  }

  /** How many credentials are wrapped by another key than `keyId`. */
  async countWrappedByOthers(keyId: string): Promise<number> {
    const { count } = await this.#db
      .selectFrom('credentials')
      .select(sql<string>`count(*)`.as('count'))
      .where('key_id', '<>', keyId)
      .executeTakeFirstOrThrow();
    return Number(count);
  }

  /**
   * Compare and set: replaces wrappings that are still the ones that were read. Resolves to their
   * number.
   */
  async replaceWrapped(changes: readonly Rewrapping[]): Promise<number> {
    const result = await sql`
      UPDATE credentials c SET key_id = n.key_id, wrapped_dek = n.wrapped_dek
      FROM unnest(${changes.map(({ id }) => id)}::text[], ${changes.map(({ from }) => from)}::bytea[],
        ${changes.map(({ to }) => to.keyId)}::text[], ${changes.map(({ to }) => to.wrappedDek)}::bytea[])
        AS n (id, old_dek, key_id, wrapped_dek)
      WHERE c.id = n.id AND c.wrapped_dek = n.old_dek`.execute(this.#db);
    return Number(result.numAffectedRows ?? 0);
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
