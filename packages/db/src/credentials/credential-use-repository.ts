import { type ExecutionId, randomId, type WorkflowId } from '@sluice/domain';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../tables/tables.ts';
import { isUsableFrom } from './credential-rows.ts';
import { type SealedData, sealedColumns, toSealedColumns, toSealedData } from './sealed-data.ts';

/** A credential as read for a run. */
export interface UsedCredential {
  id: string;
  type: string;
  name: string;
  /** The current project of the execution or the workflow. */
  projectId: string;
  workflowId: WorkflowId;
  /** The user who started the execution; null if no user did. */
  userId: string | null;
  /** Whether that project owns the credential or shares it, or it is global. */
  usable: boolean;
  sealed: SealedData;
}

/** A credential that an active workflow uses. */
interface WorkflowUse {
  id: string;
  type: string;
  workflowId: WorkflowId;
}

interface UnusableRow {
  /** 1-based. */
  at: number;
  type: string | null;
  name: string | null;
  project_id: string | null;
}

/** Credentials used by executions, and the renewal of their tokens. */
export class CredentialUseRepository {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /**
   * Uses the project of the execution's workflow, never a project named by a node or a job. The row
   * of the execution may still name the project that the workflow has left.
   */
  async find(id: string, executionId: ExecutionId): Promise<UsedCredential | undefined> {
    const row = await selectUsed(this.#db, sql.ref('w.project_id'))
      .innerJoin('executions as e', (join) => join.on('e.id', '=', executionId))
      .innerJoin('workflows as w', 'w.id', 'e.workflow_id')
      .select(['w.project_id', 'e.workflow_id', 'e.user_id'])
      .where('c.id', '=', id)
      .executeTakeFirst();
    return row && toUsed(row, { projectId: row.project_id, workflowId: row.workflow_id, userId: row.user_id });
  }

  /**
   * For use by a workflow without an execution: authorizing webhook requests, polling, listening.
   */
  async findForWorkflow(id: string, workflowId: WorkflowId): Promise<UsedCredential | undefined> {
    const row = await selectUsed(this.#db, sql.ref('w.project_id'))
      .innerJoin('workflows as w', (join) => join.on('w.id', '=', workflowId))
      .select('w.project_id')
      .where('c.id', '=', id)
      .executeTakeFirst();
    return row && toUsed(row, { projectId: row.project_id, workflowId, userId: null });
  }

  /**
   * The credentials that their workflows may not use, by index in `uses`. `undefined`: the
   * credential or the workflow does not exist.
   */
  async findUnusable(uses: readonly WorkflowUse[]): Promise<Map<number, Omit<UsedCredential, 'sealed'> | undefined>> {
    const [ids, types] = [uses.map(({ id }) => id), uses.map(({ type }) => type)];
    const workflowIds = uses.map(({ workflowId }) => workflowId);
    const { rows } = await sql<UnusableRow>`
      SELECT u.at::int, c.type, c.name, w.project_id
      FROM unnest(${ids}::text[], ${types}::text[], ${workflowIds}::text[]) WITH ORDINALITY AS u(id, type, workflow_id, at)
      LEFT JOIN workflows w ON w.id = u.workflow_id
      LEFT JOIN credentials c ON c.id = u.id AND w.id IS NOT NULL
      WHERE c.id IS NULL OR c.type <> u.type OR NOT ${isUsableFrom(sql.ref('w.project_id'))}`.execute(this.#db);
    return new Map(
      rows.map(({ at, type, name, project_id: projectId }) => {
        const { id, workflowId } = uses[at - 1] as WorkflowUse;
        if (type === null || name === null || projectId === null) return [at - 1, undefined];
        return [at - 1, { id, type, name, projectId, workflowId, userId: null, usable: false }];
      }),
    );
  }

  /** For use by a project outside executions, for a workflow that may have been deleted. */
  async findForProject(
    id: string,
    { projectId, workflowId }: { projectId: string; workflowId: WorkflowId },
  ): Promise<UsedCredential | undefined> {
    const row = await selectUsed(this.#db, sql.val(projectId)).where('c.id', '=', id).executeTakeFirst();
    return row && toUsed(row, { projectId, workflowId, userId: null });
  }

  /**
   * Claims the right to renew the token of a credential whose record is still `sealed`, for
   * `leaseMs` milliseconds of database time. Only one process holds the right at a time.
   * `undefined`: another process holds it, or the record has changed.
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

  /**
   * Ends a renewal with the new record. False: the right was lost in the meantime, and nothing was
   * written.
   */
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

  /** Ends a failed renewal; the next use of the credential tries again. */
  async releaseRenewal(id: string, renewalId: string): Promise<void> {
    await this.#db
      .updateTable('credentials')
      .set({ renewal_id: null, renewal_expires_at: null })
      .where('id', '=', id)
      .where('renewal_id', '=', renewalId)
      .execute();
  }
}

/** Rows for `toUsed`. `project`: the project that uses the credential; a value, or a column. */
function selectUsed(db: Kysely<Tables>, project: RawBuilder<unknown>) {
  return db
    .selectFrom('credentials as c')
    .select(['c.id', 'c.type', 'c.name', isUsableFrom(project).as('usable')])
    .select(sealedColumns.map((column) => `c.${column}` as const));
}

function toUsed(
  row: Parameters<typeof toSealedData>[0] & Pick<UsedCredential, 'id' | 'type' | 'name' | 'usable'>,
  use: Pick<UsedCredential, 'projectId' | 'workflowId' | 'userId'>,
): UsedCredential {
  const { id, type, name, usable } = row;
  return { id, type, name, usable, ...use, sealed: toSealedData(row) };
}
