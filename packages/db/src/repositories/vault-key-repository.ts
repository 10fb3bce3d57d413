import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables/tables.ts';
import { type SealedData, sealedColumns, toSealedColumns, toSealedData } from './sealed-data.ts';

/** What a rotation of the master key needs of a credential. */
export interface WrappedCredential extends Pick<SealedData, 'version' | 'keyId' | 'wrappedDek'> {
  id: string;
  type: string;
}

/** The new wrapping of a data key, in place of the one it was made from. */
export interface Rewrapping {
  id: string;
  from: Buffer;
  to: Pick<SealedData, 'keyId' | 'wrappedDek'>;
}

/** The vault's own side of the database: the canary, and the wrapping of data keys. No decrypted data are needed here. */
export class VaultKeyRepository {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /** Stores the canary unless there is one; resolves to the one that is stored then. */
  async getOrCreate(record: SealedData): Promise<SealedData> {
    await this.#db
      .insertInto('vault_canary')
      .values(toSealedColumns(record))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return toSealedData(await this.#db.selectFrom('vault_canary').select(sealedColumns).executeTakeFirstOrThrow());
  }

  /** Credentials that another key than `keyId` wraps, by id, those after `afterId`. */
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

  /** How many credentials another key than `keyId` wraps. */
  async countWrappedByOthers(keyId: string): Promise<number> {
    const { count } = await this.#db
      .selectFrom('credentials')
      .select(sql<string>`count(*)`.as('count'))
      .where('key_id', '<>', keyId)
      .executeTakeFirstOrThrow();
    return Number(count);
  }

  /** Compare and set: those whose wrapping is still the one that was read. Resolves to their number. */
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
