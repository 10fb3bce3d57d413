import { ForbiddenError, NotFoundError, shownId, type WorkflowId } from '@sluice/domain';
import { type Kysely, sql } from 'kysely';
import type { Access } from '../access.ts';
import { microsecondsOf, type NewestFirst, newestFirst } from '../newest-first.ts';
import type { Tables } from '../tables/tables.ts';
import type { GraphContent } from '../tables/workflow-tables.ts';

/** One save of a workflow, without its graph. */
export interface WorkflowVersionHead {
  id: string;
  workflowId: WorkflowId;
  /** Sequence number within the workflow, from 1, in the order of saving. */
  number: number;
  /** Label, if any. */
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
    const versions = selectVersions(this.#db).where('v.workflow_id', '=', workflowId);
    return this.#numbered(await newestFirst(versions, 'v', page).execute());
  }

  /**
   * The version with this sequence number, if it exists. The caller checks access to the workflow
   * first.
   */
  async listByNumber(workflowId: WorkflowId, number: number): Promise<WorkflowVersionHead[]> {
    const oldestFirst = selectVersions(this.#db)
      .where('v.workflow_id', '=', workflowId)
      .orderBy('v.created_at')
      .orderBy('v.id');
    return this.#numbered(
      await oldestFirst
        .offset(number - 1)
        .limit(1)
        .execute(),
    );
  }

  /**
   * Throws `NotFoundError` if the workflow has no such version, or `ForbiddenError` if the workflow
   * is outside `access`.
   */
  async get(workflowId: WorkflowId, id: string, access: Access): Promise<WorkflowVersion> {
    const query = selectVersions(this.#db)
      .innerJoin('workflow_graphs as g', (join) =>
        join.onRef('g.workflow_id', '=', 'v.workflow_id').onRef('g.hash', '=', 'v.graph_hash'),
      )
      .select('g.content as graph');
    const version = checked({ workflowId, id, access }, await query.where('v.id', '=', id).executeTakeFirst());
    const [numbered] = await this.#numbered([version]);
    return numbered as WorkflowVersion;
  }

  /** Throws as `get` does. */
  async getHead(workflowId: WorkflowId, id: string, access: Access): Promise<Omit<WorkflowVersionHead, 'number'>> {
    return checked({ workflowId, id, access }, await selectVersions(this.#db).where('v.id', '=', id).executeTakeFirst());
  }

  /**
   * Adds the numbers to consecutive versions, newest first. Numbers are counted, not stored:
   * versions are deleted only with their workflow, so a version keeps its number.
   */
  async #numbered<T extends { id: string; workflowId: WorkflowId }>(
    versions: readonly T[],
  ): Promise<(T & { number: number })[]> {
    const [newest] = versions;
    if (!newest) return [];
    const isUpToNewest = sql<boolean>`(created_at, id) <= (SELECT created_at, id FROM workflow_versions WHERE id = ${newest.id})`;
    const { count } = await this.#db
      .selectFrom('workflow_versions')
      .select(sql<number>`count(*)::int`.as('count'))
      .where('workflow_id', '=', newest.workflowId)
      .where(isUpToNewest)
      .executeTakeFirstOrThrow();
    return versions.map((version, index) => ({ ...version, number: count - index }));
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

function checked<T extends { workflowId: WorkflowId; projectId: string }>(
  { workflowId, id, access }: VersionLookup,
  version: T | undefined,
): T {
  if (version && !access.includes(version.projectId))
    throw new ForbiddenError(`version ${id} is not accessible with the role that this needs`);
  if (version?.workflowId !== workflowId)
    throw new NotFoundError(`version ${shownId(id)} of workflow ${workflowId} does not exist`);
  return version as T;
}
