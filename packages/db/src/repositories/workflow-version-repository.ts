import { ForbiddenError, NotFoundError, type WorkflowId } from '@sluice/domain';
import { type Kysely, sql } from 'kysely';
import type { Access } from '../access.ts';
import type { Tables } from '../tables/tables.ts';
import type { GraphContent } from '../tables/workflow-tables.ts';
import { microsecondsOf, type NewestFirst, newestFirst } from './newest-first.ts';

/** One save of a workflow, without its graph. */
export interface WorkflowVersionHead {
  id: string;
  workflowId: WorkflowId;
  /** Label; null: none. */
  name: string | null;
  description: string | null;
  /** Null: the user has been deleted. */
  authorId: string | null;
  /** Whether triggers run this version. */
  active: boolean;
  createdAt: Date;
  createdAtUs: string;
}

export interface WorkflowVersion extends WorkflowVersionHead {
  graph: GraphContent;
}

export class WorkflowVersionRepository {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /** The caller checks access to the workflow first. */
  async list(workflowId: WorkflowId, page: NewestFirst): Promise<WorkflowVersionHead[]> {
    return newestFirst(selectVersions(this.#db).where('v.workflow_id', '=', workflowId), 'v', page).execute();
  }

  async get(workflowId: WorkflowId, id: string, access: Access): Promise<WorkflowVersion> {
    const query = selectVersions(this.#db)
      .innerJoin('workflow_graphs as g', (join) =>
        join.onRef('g.workflow_id', '=', 'v.workflow_id').onRef('g.hash', '=', 'v.graph_hash'),
      )
      .select('g.content as graph');
    return checked({ workflowId, id, access }, await query.where('v.id', '=', id).executeTakeFirst());
  }

  /**
   * Throws `NotFoundError` if the workflow has no such version, or `ForbiddenError` if the workflow
   * is outside `access`.
   */
  async getHead(workflowId: WorkflowId, id: string, access: Access): Promise<WorkflowVersionHead> {
    return checked({ workflowId, id, access }, await selectVersions(this.#db).where('v.id', '=', id).executeTakeFirst());
  }

  /** Absent fields are unchanged. */
  async label(
    id: string,
    { name, description }: { name?: string | undefined; description?: string | undefined },
  ): Promise<void> {
    if (name === undefined && description === undefined) return;
    await this.#db.updateTable('workflow_versions').set({ name, description }).where('id', '=', id).execute();
  }
}

function selectVersions(db: Kysely<Tables>) {
  return db
    .selectFrom('workflow_versions as v')
    .innerJoin('workflows as w', 'w.id', 'v.workflow_id')
    .select([
      'v.id',
      'v.workflow_id as workflowId',
      'v.name',
      'v.description',
      'v.author_id as authorId',
      'v.created_at as createdAt',
      'w.project_id as projectId',
      microsecondsOf('v.created_at').as('createdAtUs'),
      sql<boolean>`v.id IS NOT DISTINCT FROM w.active_version_id`.as('active'),
    ]);
}

interface VersionLookup {
  workflowId: WorkflowId;
  id: string;
  access: Access;
}

function checked<T extends WorkflowVersionHead & { projectId: string }>(
  { workflowId, id, access }: VersionLookup,
  version: T | undefined,
): T {
  if (version && !access.includes(version.projectId)) throw new ForbiddenError(`version ${id} is not accessible`);
  if (version?.workflowId !== workflowId) throw new NotFoundError(`version ${id} of workflow ${workflowId} does not exist`);
  return version as T;
}
