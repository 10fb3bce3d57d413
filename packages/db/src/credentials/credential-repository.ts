import { ForbiddenError, NotFoundError, shownId } from '@sluice/domain';
import { type Kysely, sql, type Transaction } from 'kysely';
import { type Access, anyOf, isAccessible } from '../access.ts';
import { noteForAudit } from '../audit/audit-trail.ts';
import { type CredentialLimits, putCredentialLimits } from '../limits/put-limit.ts';
import { recountLimited } from '../limits/recount-limited.ts';
import { lockProjects } from '../projects/project-content.ts';
import { ProjectRepository } from '../projects/project-repository.ts';
import { inTransaction } from '../statements/in-transaction.ts';
import { touched } from '../statements/touched.ts';
import type { Tables } from '../tables/tables.ts';
import {
  type Credential,
  type CredentialFilter,
  type CredentialHead,
  filtered,
  isVisibleTo,
  selectHead,
  selectSealed,
  toCredential,
} from './credential-rows.ts';
import { findWorkflowsWithCredential, type WorkflowWithCredential } from './find-workflows-with-credential.ts';
import { type SealedData, toSealedColumns } from './sealed-data.ts';

export interface NewCredential
  extends Pick<CredentialHead, 'id' | 'projectId' | 'name' | 'type' | 'isGlobal' | 'isResolvable'> {
  /** Absent limits: no limit. */
  concurrency?: number | null | undefined;
  ratePerSecond?: number | null | undefined;
  sealed: SealedData;
  isManaged?: boolean;
}

/** Changes to save. Absent limits are unchanged. */
export interface CredentialRevision extends Partial<CredentialLimits> {
  name: string;
  isGlobal: boolean;
  /** Absent: the data is unchanged. */
  sealed?: SealedData;
}

/**
 * Credentials, encrypted. Every read carries the caller's `Access`; writes go through a row lock.
 */
export class CredentialRepository {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /** The id must be new. */
  async create({
    sealed,
    isManaged = false,
    concurrency = null,
    ratePerSecond = null,
    ...head
  }: NewCredential): Promise<CredentialHead> {
    return inTransaction(this.#db, async (tx) => {
      const values = {
        id: head.id,
        project_id: head.projectId,
        name: head.name,
        type: head.type,
        is_global: head.isGlobal,
        is_managed: isManaged,
        is_resolvable: head.isResolvable,
        ...toSealedColumns(sealed),
      };
      await tx.insertInto('credentials').values(values).execute();
      if (concurrency ?? ratePerSecond) await putCredentialLimits(tx, head.id, { concurrency, ratePerSecond });
      return selectHead(tx).where('c.id', '=', head.id).executeTakeFirstOrThrow();
    });
  }

  /**
   * A credential that is visible to `access`: owned, shared, or global. Throws `NotFoundError`,
   * `ForbiddenError`.
   */
  async get(id: string, access: Access): Promise<Credential> {
    const row = await selectSealed(this.#db)
      .select(isVisibleTo(access).as('visible'))
      .where('c.id', '=', id)
      .executeTakeFirst();
    if (!row) throw notFound(id);
    const { visible, ...credential } = row;
    noteCredential(credential);
    if (!visible) throw new ForbiddenError(`credential ${id} is not accessible with the role that this needs`);
    return toCredential(credential);
  }

  /** A credential owned by a project in `access`. Throws `NotFoundError`, `ForbiddenError`. */
  async getOwned(id: string, access: Access): Promise<Credential> {
    const row = await selectSealed(this.#db).where('c.id', '=', id).executeTakeFirst();
    if (!row) throw notFound(id);
    const credential = toCredential(row);
    assertOwned(credential, access);
    return credential;
  }

  /** The credentials that are visible to `access`, newest first. */
  async list(filter: CredentialFilter, access: Access): Promise<CredentialHead[]> {
    return filtered(selectHead(this.#db), filter, access).execute();
  }

  /** Like `list`, with the encrypted data. */
  async listSealed(filter: CredentialFilter, access: Access): Promise<Credential[]> {
    return (await filtered(selectSealed(this.#db), filter, access).execute()).map(toCredential);
  }

  /** Bytes of the encrypted data that `listSealed` would read. */
  async sealedBytes(filter: CredentialFilter, access: Access): Promise<number> {
    const sizes = selectHead(this.#db).select(sql<number>`octet_length(c.ciphertext)`.as('bytes'));
    const { total } = await this.#db
      .selectFrom(filtered(sizes, filter, access).as('s'))
      .select(sql<number>`coalesce(sum(s.bytes), 0)::float8`.as('total'))
      .executeTakeFirstOrThrow();
    return total;
  }

  /** Names of credentials visible to `access` that begin with `prefix`. */
  async listNames(prefix: string, access: Access): Promise<string[]> {
    const rows = await this.#db
      .selectFrom('credentials as c')
      .select('c.name')
      .distinct()
      .where(isVisibleTo(access))
      .where(sql<boolean>`starts_with(c.name, ${prefix})`)
      .execute();
    return rows.map(({ name }) => name);
  }

  /**
   * Saves the result of `revise`, which receives the current, locked state and throws to refuse.
   * Throws `NotFoundError`, or `ForbiddenError` if the owner is not in `access`.
   */
  async update(id: string, access: Access, revise: (current: Credential) => CredentialRevision): Promise<CredentialHead> {
    let areLimitsNew = false;
    const updated = await inTransaction(this.#db, async (tx) => {
      const current = await lockOwned(tx, id, access);
      const { name, isGlobal, sealed, concurrency, ratePerSecond } = { ...current, sealed: undefined, ...revise(current) };
      areLimitsNew = concurrency !== current.concurrency || ratePerSecond !== current.ratePerSecond;
      if (areLimitsNew) await putCredentialLimits(tx, id, { concurrency, ratePerSecond });
      await tx
        .updateTable('credentials')
        .set({
          name,
          is_global: isGlobal,
          updated_at: touched,
          // A renewal in flight used data that this save replaces, so it may no longer store its
          // result.
          ...(sealed && { ...toSealedColumns(sealed), renewal_id: null, renewal_expires_at: null }),
        })
        .where('id', '=', id)
        .execute();
      return selectHead(tx).where('c.id', '=', id).executeTakeFirstOrThrow();
    });
    if (areLimitsNew) await recountLimited(this.#db);
    return updated;
  }

  /**
   * Deletes a credential that `access` owns, after `check`, which throws to refuse. Throws
   * `NotFoundError` if it does not exist or belongs to a project outside `members`, and
   * `ForbiddenError` if it belongs to a project in which the role is insufficient.
   */
  async delete(
    id: string,
    { access, members }: { access: Access; members: Access },
    check: (uses: () => Promise<WorkflowWithCredential[]>) => Promise<void> = async () => {},
  ): Promise<Credential> {
    return inTransaction(this.#db, async (tx) => {
      const credential = await lock(tx, id);
      if (!members.includes(credential.projectId)) throw notFound(id);
      assertOwned(credential, access);
      await check(() => findWorkflowsWithCredential(tx, id));
      await tx.deleteFrom('credentials').where('id', '=', id).execute();
      return credential;
    });
  }

  /** Whether a credential of one of the types exists, in any project. */
  async existsOfTypes(types: readonly string[]): Promise<boolean> {
    const query = this.#db
      .selectFrom('credentials')
      .select('id')
      .where(sql<boolean>`type = ${anyOf(types)}`);
    return (await query.limit(1).executeTakeFirst()) !== undefined;
  }

  /** Projects that the credential is shared with, in the order of their ids. */
  async listShares(id: string): Promise<string[]> {
    const shares = this.#db.selectFrom('credential_shares').select('project_id').where('credential_id', '=', id);
    return (await shares.orderBy('project_id').execute()).map((share) => share.project_id);
  }

  /**
   * Shares a credential of `access` with exactly these projects. New projects must be in `members`.
   * Throws the errors of `update`, and of `ProjectRepository.get` for a project.
   */
  async replaceShares(
    id: string,
    projectIds: readonly string[],
    { access, members }: { access: Access; members: Access },
  ): Promise<CredentialHead> {
    return inTransaction(this.#db, async (tx) => {
      await lockProjects(tx, projectIds);
      const credential = await lockOwned(tx, id, access);
      const wanted = new Set(projectIds.filter((projectId) => projectId !== credential.projectId));
      const current = await tx.selectFrom('credential_shares').select('project_id').where('credential_id', '=', id).execute();
      const sharedIds = new Set(current.map((share) => share.project_id));
      const added = [...wanted].filter((projectId) => !sharedIds.has(projectId));
      const projects = new ProjectRepository(tx);
      for (const projectId of added) await projects.get(projectId, members);
      await tx
        .deleteFrom('credential_shares')
        .where('credential_id', '=', id)
        .where(sql<boolean>`NOT project_id = ${anyOf(wanted)}`)
        .execute();
      await addShares(tx, [id], added);
      return credential;
    });
  }

  /**
   * Shares the given credentials that `access` owns with one more project. Resolves to their ids.
   */
  async shareOwned(ids: readonly string[], projectId: string, access: Access): Promise<string[]> {
    const query = this.#db.selectFrom('credentials as c').select('c.id').where('c.id', '=', anyOf(ids));
    const elsewhere = query.where(isAccessible(access, 'c.project_id')).where('c.project_id', '<>', projectId);
    const owned = (await elsewhere.execute()).map((row) => row.id);
    await addShares(this.#db, owned, [projectId]);
    return owned;
  }

  /**
   * Moves a credential that `access` owns to one of the `destinations`. Its shares are removed,
   * because the old owner made them. Throws the errors of `update`, and of `ProjectRepository.get`
   * for the project.
   */
  async transfer(
    id: string,
    projectId: string,
    { access, destinations }: { access: Access; destinations: Access },
  ): Promise<CredentialHead> {
    return inTransaction(this.#db, async (tx) => {
      await lockProjects(tx, [projectId]);
      const credential = await lockOwned(tx, id, access);
      await new ProjectRepository(tx).get(projectId, destinations);
      if (credential.projectId === projectId) return credential;
      await tx.deleteFrom('credential_shares').where('credential_id', '=', id).execute();
      await tx.updateTable('credentials').set({ project_id: projectId, updated_at: touched }).where('id', '=', id).execute();
      return credential;
    });
  }
}

async function lock(tx: Transaction<Tables>, id: string): Promise<Credential> {
  const row = await selectSealed(tx).where('c.id', '=', id).forUpdate().executeTakeFirst();
  if (!row) throw notFound(id);
  return toCredential(row);
}

async function lockOwned(tx: Transaction<Tables>, id: string, access: Access): Promise<Credential> {
  const credential = await lock(tx, id);
  assertOwned(credential, access);
  return credential;
}

function assertOwned({ id, name, projectId }: CredentialHead, access: Access): void {
  noteCredential({ name, projectId });
  if (!access.includes(projectId)) throw new ForbiddenError(`credential ${id} is not accessible with the role that this needs`);
}

/** Names the credential in the audit line, even for refused actions. */
function noteCredential({ name, projectId }: Pick<CredentialHead, 'name' | 'projectId'>): void {
  noteForAudit({ objectName: name, projectId });
}

async function addShares(db: Kysely<Tables>, ids: readonly string[], projectIds: readonly string[]): Promise<void> {
  const values = ids.flatMap((id) => projectIds.map((projectId) => ({ credential_id: id, project_id: projectId })));
  if (values.length === 0) return;
  await db
    .insertInto('credential_shares')
    .values(values)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

function notFound(id: string): NotFoundError {
  return new NotFoundError(`credential ${shownId(id)} does not exist`);
}
