import { type ExecutionId, randomId, type WorkflowId } from '@sluice/domain';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables/tables.ts';
import { isUsableFrom } from './credential-visibility.ts';
import { type SealedData, sealedColumns, toSealedColumns, toSealedData } from './sealed-data.ts';

/** A credential as a run asks for it. */
export interface UsedCredential {
  id: string;
  type: string;
  name: string;
  /** Of the execution or the workflow, at this moment. */
  projectId: string;
  workflowId: WorkflowId;
  /** Who started the execution; null: nobody. */
  userId: string | null;
  /** Whether that project owns it, shares it, or it is global. */
  usable: boolean;
  sealed: SealedData;
}

/** Credentials as executions use them, and the renewal of their tokens. */
export class CredentialUseRepository {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /** The project is that of the stored execution, never one that a node or a job names. */
  async find(id: string, executionId: ExecutionId): Promise<UsedCredential | undefined> {
    const row = await this.#db
      .selectFrom('credentials as c')
      .innerJoin('executions as e', (join) => join.on('e.id', '=', executionId))
      .select(['c.id', 'c.type', 'c.name', 'e.project_id', 'e.workflow_id', 'e.user_id'])
      .select(isUsableFrom(sql.ref('e.project_id')).as('usable'))
      .select(sealedColumns.map((column) => `c.${column}` as const))
      .where('c.id', '=', id)
      .executeTakeFirst();
    if (!row) return undefined;
    const { type, name, project_id: projectId, workflow_id: workflowId, user_id: userId, usable } = row;
    return { id, type, name, projectId, workflowId, userId, usable, sealed: toSealedData(row) };
  }

  /** As a workflow may use it without an execution: to judge calls, to poll, to listen. */
  async findForWorkflow(id: string, workflowId: WorkflowId): Promise<UsedCredential | undefined> {
    const row = await this.#db
      .selectFrom('credentials as c')
      .innerJoin('workflows as w', (join) => join.on('w.id', '=', workflowId))
      .select(['c.id', 'c.type', 'c.name', 'w.project_id'])
      .select(isUsableFrom(sql.ref('w.project_id')).as('usable'))
      .select(sealedColumns.map((column) => `c.${column}` as const))
      .where('c.id', '=', id)
      .executeTakeFirst();
    if (!row) return undefined;
    const { type, name, project_id: projectId, usable } = row;
    return { id, type, name, projectId, workflowId, userId: null, usable, sealed: toSealedData(row) };
  }

  /** As a project may use it outside of executions, for a workflow that may be gone by now. */
  async findForProject(
    id: string,
    { projectId, workflowId }: { projectId: string; workflowId: WorkflowId },
  ): Promise<UsedCredential | undefined> {
    const row = await this.#db
      .selectFrom('credentials as c')
      .select(['c.type', 'c.name'])
      .select(isUsableFrom(sql.val(projectId)).as('usable'))
      .select(sealedColumns.map((column) => `c.${column}` as const))
      .where('c.id', '=', id)
      .executeTakeFirst();
    if (!row) return undefined;
    const { type, name, usable } = row;
    return { id, type, name, projectId, workflowId, userId: null, usable, sealed: toSealedData(row) };
  }

  /**
   * The right to renew the token of a credential whose record is still `sealed`, for `leaseMs` milliseconds of database time: one
   * process holds it at a time. `undefined`: somebody else holds it, or the record has changed.
   */
  async claimRenewal(id: string, { wrappedDek, iv }: SealedData, leaseMs: number): Promise<string | undefined> {
    const renewalId = randomId();
    const claimed = await this.#db
      .updateTable('credentials')
      .set({ renewal_id: renewalId, renewal_expires_at: sql`now() + ${leaseMs} * interval '1 millisecond'` })
      .where('id', '=', id)
      .where('iv', '=', iv)
      .where('wrapped_dek', '=', wrappedDek)
      .where(sql<boolean>`(renewal_expires_at IS NULL OR renewal_expires_at <= now())`)
      .returning('id')
      .executeTakeFirst();
    return claimed && renewalId;
  }

  /** Ends a renewal with the new record. False: the right was lost meanwhile, and nothing was written. */
  async storeRenewed(id: string, renewalId: string, sealed: SealedData): Promise<boolean> {
    const stored = await this.#db
      .updateTable('credentials')
      .set({ ...toSealedColumns(sealed), renewal_id: null, renewal_expires_at: null })
      .where('id', '=', id)
      .where('renewal_id', '=', renewalId)
      .returning('id')
      .executeTakeFirst();
    return stored !== undefined;
  }

  /** Ends a renewal that failed: the next who asks tries again. */
  async releaseRenewal(id: string, renewalId: string): Promise<void> {
    await this.#db
      .updateTable('credentials')
      .set({ renewal_id: null, renewal_expires_at: null })
      .where('id', '=', id)
      .where('renewal_id', '=', renewalId)
      .execute();
  }
}
