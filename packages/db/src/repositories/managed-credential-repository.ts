import { ForbiddenError, randomId } from '@sluice/domain';
import type { Kysely, Transaction } from 'kysely';
import { inTransaction } from '../in-transaction.ts';
import type { Tables } from '../tables/tables.ts';
import { touched } from '../touched.ts';
import { CredentialRepository } from './credential-repository.ts';
import { type SealedData, toSealedColumns } from './sealed-data.ts';

interface ManagedCredential {
  /** Absent: the managed credential of the same project, type, and name, or a new one. */
  id?: string | undefined;
  projectId: string;
  name: string;
  type: string;
}

/** Imported credentials, which operators manage elsewhere. The API can read but not change them. */
export class ManagedCredentialRepository {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /**
   * Replaces the matching managed credential, or creates one. `seal` encrypts for the id that it
   * receives. Throws `ForbiddenError` if the id belongs to a credential that is not managed or has
   * another type.
   */
  async import(credential: ManagedCredential, seal: (id: string) => SealedData): Promise<{ id: string; created: boolean }> {
    return inTransaction(this.#db, async (tx) => {
      const existing = await lockMeant(tx, credential);
      const { id = existing?.id ?? randomId(), projectId, name, type } = credential;
      if (!existing) {
        const head = { id, projectId, name, type, isGlobal: false, isResolvable: false };
        await new CredentialRepository(tx).create({ ...head, sealed: seal(id), isManaged: true });
        return { id, created: true };
      }
      if (!existing.is_managed) throw new ForbiddenError(`credential ${id} is not managed`);
      if (existing.type !== type) throw new ForbiddenError(`credential ${id} is of type ${existing.type}`);
      const columns = { ...toSealedColumns(seal(id)), renewal_id: null, renewal_expires_at: null };
      await tx
        .updateTable('credentials')
        .set({ name, project_id: projectId, updated_at: touched, ...columns })
        .where('id', '=', id)
        .execute();
      return { id, created: false };
    });
  }
}

function lockMeant(tx: Transaction<Tables>, { id, projectId, name, type }: ManagedCredential) {
  const query = tx.selectFrom('credentials').select(['id', 'type', 'is_managed']).forUpdate();
  if (id !== undefined) return query.where('id', '=', id).executeTakeFirst();
  return query
    .where('is_managed', '=', true)
    .where('project_id', '=', projectId)
    .where('type', '=', type)
    .where('name', '=', name)
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst();
}
