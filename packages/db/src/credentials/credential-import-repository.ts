import { ForbiddenError, randomId } from '@sluice/domain';
import type { Kysely, Transaction } from 'kysely';
import { inTransaction } from '../statements/in-transaction.ts';
import { touched } from '../statements/touched.ts';
import type { Tables } from '../tables/tables.ts';
import { CredentialRepository } from './credential-repository.ts';
import { type SealedData, toSealedColumns } from './sealed-data.ts';

interface ImportedCredential {
  /**
   * Default: the ID of the credential with the same project, type, name, and `isManaged`; else a
   * new one.
   */
  id?: string | undefined;
  projectId: string;
  name: string;
  type: string;
  isManaged: boolean;
}

interface ImportResult {
  id: string;
  outcome: 'created' | 'updated' | 'unchanged';
}

/** Imports credentials from a file, which stays the source of managed ones. */
export class CredentialImportRepository {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /**
   * Creates the credential. If it exists, a managed one is replaced, and any other is left
   * unchanged. `seal` encrypts for the ID that it receives. Throws `ForbiddenError` if the ID
   * belongs to a credential of another type, or with another `isManaged`.
   */
  async import(credential: ImportedCredential, seal: (id: string) => SealedData): Promise<ImportResult> {
    return inTransaction(this.#db, async (tx) => {
      const existing = await lockExisting(tx, credential);
      const { id = existing?.id ?? randomId(), projectId, name, type, isManaged } = credential;
      if (!existing) {
        const head = { id, projectId, name, type, isGlobal: false, isResolvable: false, isManaged };
        await new CredentialRepository(tx).create({ ...head, sealed: seal(id) });
        return { id, outcome: 'created' };
      }
      if (existing.is_managed !== isManaged)
        throw new ForbiddenError(
          `credential ${id} is ${existing.is_managed ? 'managed: import it with' : 'not managed: import it without'} --managed`,
        );
      if (existing.type !== type) throw new ForbiddenError(`credential ${id} is of type ${existing.type}`);
      if (!isManaged) return { id, outcome: 'unchanged' };
      const columns = { ...toSealedColumns(seal(id)), renewal_id: null, renewal_expires_at: null };
      await tx
        .updateTable('credentials')
        .set({ name, project_id: projectId, updated_at: touched, ...columns })
        .where('id', '=', id)
        .execute();
      return { id, outcome: 'updated' };
    });
  }
}

function lockExisting(tx: Transaction<Tables>, { id, projectId, name, type, isManaged }: ImportedCredential) {
  const query = tx.selectFrom('credentials').select(['id', 'type', 'is_managed']).forUpdate();
  if (id !== undefined) return query.where('id', '=', id).executeTakeFirst();
  return query
    .where('is_managed', '=', isManaged)
    .where('project_id', '=', projectId)
    .where('type', '=', type)
    .where('name', '=', name)
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst();
}
