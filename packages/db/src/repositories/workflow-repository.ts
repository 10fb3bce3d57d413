import {
  type ExecutionId,
  ForbiddenError,
  type JsonObject,
  liveStatuses,
  NotFoundError,
  randomId,
  ValidationError,
  type WorkflowId,
} from '@sluice/domain';
import { type Kysely, sql, type Transaction } from 'kysely';
import { type Access, anyOf } from '../access.ts';
import { encodeGraph, GraphRepository } from '../executions/graph-repository.ts';
import type { Tables } from '../tables/tables.ts';
import type { GraphContent } from '../tables/workflow-tables.ts';
import { inTransaction } from './in-transaction.ts';

/** A workflow without its graph: what a run needs to know. */
export interface WorkflowHead {
  id: WorkflowId;
  projectId: string;
  name: string;
  active: boolean;
  /** The newest version. */
  versionId: string;
  /** Null while inactive. */
  activeVersionId: string | null;
  /** Names the newest version's graph. */
  graphHash: string;
  createdAt: Date;
  updatedAt: Date;
  /** `createdAt` and `updatedAt` in microseconds since the epoch: exact, for cursors and for telling one save from the next. */
  createdAtUs: string;
  updatedAtUs: string;
}

export interface Workflow extends WorkflowHead {
  graph: GraphContent;
  staticData: JsonObject | null;
  meta: JsonObject | null;
}

export interface NewWorkflow {
  /** Absent: generated. */
  id?: WorkflowId;
  projectId: string;
  graph: GraphContent;
  staticData: JsonObject | null;
  meta: JsonObject | null;
  authorId: string;
}

export interface WorkflowFilter {
  /** Part of the name, in any case; `%` and `_` stand for themselves. */
  name?: string;
  active?: boolean;
  projectId?: string;
}

/** A place in the list: the last workflow of the page before. */
export interface WorkflowPosition {
  createdAtUs: string;
  id: WorkflowId;
}

/** What a save puts in place of the current content. */
export interface WorkflowRevision {
  graph: GraphContent;
  staticData: JsonObject | null;
}

export interface DeletedWorkflow {
  id: WorkflowId;
  name: string;
  /** Executions that had not ended. */
  canceled: ExecutionId[];
}

const microseconds = (column: 'created_at' | 'updated_at') =>
  sql<string>`(extract(epoch FROM w.${sql.ref(column)}) * 1000000)::bigint::text`;

/** The history of a busy workflow is long: its deletion may take this many milliseconds. */
const deleteTimeoutMs = 600_000;

/** Workflows with their versions. Every read carries the caller's `Access`; writes go through a row lock. */
export class WorkflowRepository {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /** Throws `ValidationError` when the id is in use, in whatever project. */
  async create(workflow: NewWorkflow): Promise<Workflow> {
    const id = workflow.id ?? randomId();
    const versionId = randomId();
    return inTransaction(this.#db, async (tx) => {
      const inserted = await tx
        .insertInto('workflows')
        .values({
          id,
          project_id: workflow.projectId,
          name: workflow.graph.name,
          version_id: versionId,
          static_data: jsonOrNull(workflow.staticData),
          meta: jsonOrNull(workflow.meta),
        })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .returning('id')
        .executeTakeFirst();
      if (!inserted) throw new ValidationError(`workflow with id ${id} exists already`);
      await saveVersion(tx, { workflowId: id, versionId, graph: workflow.graph, authorId: workflow.authorId });
      return (await selectWithGraph(tx).where('w.id', '=', id).executeTakeFirstOrThrow()) as Workflow;
    });
  }

  /** Throws `NotFoundError`, or `ForbiddenError` for one in a project outside `access`. */
  async get(id: WorkflowId, access: Access): Promise<Workflow> {
    return checked(id, access, await selectWithGraph(this.#db).where('w.id', '=', id).executeTakeFirst());
  }

  /** Like `get`, without the graph. */
  async getHead(id: WorkflowId, access: Access): Promise<WorkflowHead> {
    return checked(id, access, await selectHead(this.#db).where('w.id', '=', id).executeTakeFirst());
  }

  /** Newest first. */
  async list(filter: WorkflowFilter, access: Access, page: { limit: number; after?: WorkflowPosition }): Promise<Workflow[]> {
    let query = selectWithGraph(this.#db).orderBy('w.created_at', 'desc').orderBy('w.id', 'desc').limit(page.limit);
    if (access.projectIds !== 'all') query = query.where('w.project_id', '=', anyOf(access.projectIds));
    if (filter.name !== undefined) query = query.where('w.name', 'ilike', `%${escapeLike(filter.name)}%`);
    if (filter.active !== undefined) query = query.where('w.active', '=', filter.active);
    if (filter.projectId !== undefined) query = query.where('w.project_id', '=', filter.projectId);
    if (page.after) {
      const { createdAtUs, id } = page.after;
      const createdAt = sql`'epoch'::timestamptz + ${createdAtUs}::bigint * interval '1 microsecond'`;
      query = query.where(sql<boolean>`(w.created_at, w.id) < (${createdAt}, ${id})`);
    }
    return (await query.execute()) as Workflow[];
  }

  /**
   * Saves what `revise` makes of the current content, which it sees locked; it throws to refuse. Content that did not change
   * makes no version. Throws what `get` throws.
   */
  async update(
    id: WorkflowId,
    access: Access,
    authorId: string,
    revise: (current: Workflow) => WorkflowRevision,
  ): Promise<Workflow> {
    return inTransaction(this.#db, async (tx) => {
      await lock(tx, id);
      const current = checked(id, access, await selectWithGraph(tx).where('w.id', '=', id).executeTakeFirst());
      const { graph, staticData } = revise(current);
      const versionId = randomId();
      const isNew = encodeGraph(graph).hash !== current.graphHash;
      if (isNew) await saveVersion(tx, { workflowId: id, versionId, graph, authorId });
      await tx
        .updateTable('workflows')
        .set({
          name: graph.name,
          version_id: isNew ? versionId : current.versionId,
          static_data: jsonOrNull(staticData),
          updated_at: sql`greatest(clock_timestamp(), updated_at + interval '1 microsecond')`,
        })
        .where('id', '=', id)
        .execute();
      return (await selectWithGraph(tx).where('w.id', '=', id).executeTakeFirstOrThrow()) as Workflow;
    });
  }

  /** Cancels what has not ended, then deletes the workflow, its versions and its executions, all in one transaction. */
  async delete(id: WorkflowId, access: Access): Promise<DeletedWorkflow> {
    return inTransaction(this.#db, async (tx) => {
      await sql`SET LOCAL statement_timeout = ${sql.lit(deleteTimeoutMs)}`.execute(tx);
      await lock(tx, id);
      const { name } = checked(id, access, await selectHead(tx).where('w.id', '=', id).executeTakeFirst());
      const canceled = await tx
        .updateTable('executions')
        .set({ status: 'canceled', stopped_at: sql`clock_timestamp()` })
        .where('workflow_id', '=', id)
        .where('status', 'in', [...liveStatuses])
        .returning('id')
        .execute();
      await tx.deleteFrom('workflows').where('id', '=', id).execute();
      return { id, name, canceled: canceled.map((row) => row.id) };
    });
  }
}

/**
 * A statement of its own: one that joined the version while it waits for the lock would look for the version of before and find
 * nothing.
 */
async function lock(tx: Transaction<Tables>, id: WorkflowId): Promise<void> {
  await tx.selectFrom('workflows').select('id').where('id', '=', id).forUpdate().execute();
}

function selectHead(db: Kysely<Tables>) {
  return db
    .selectFrom('workflows as w')
    .innerJoin('workflow_versions as v', 'v.id', 'w.version_id')
    .select([
      'w.id',
      'w.project_id as projectId',
      'w.name',
      'w.active',
      'w.version_id as versionId',
      'w.active_version_id as activeVersionId',
      'v.graph_hash as graphHash',
      'w.created_at as createdAt',
      'w.updated_at as updatedAt',
      microseconds('created_at').as('createdAtUs'),
      microseconds('updated_at').as('updatedAtUs'),
    ]);
}

function selectWithGraph(db: Kysely<Tables>) {
  return selectHead(db)
    .innerJoin('workflow_graphs as g', (join) => join.onRef('g.workflow_id', '=', 'w.id').onRef('g.hash', '=', 'v.graph_hash'))
    .select(['g.content as graph', 'w.static_data as staticData', 'w.meta']);
}

function checked<T extends WorkflowHead>(id: WorkflowId, access: Access, workflow: T | undefined): T {
  if (!workflow) throw new NotFoundError(`workflow ${id} does not exist`);
  if (!access.includes(workflow.projectId)) throw new ForbiddenError(`workflow ${id} is not accessible`);
  return workflow;
}

async function saveVersion(
  tx: Transaction<Tables>,
  {
    workflowId,
    versionId,
    graph,
    authorId,
  }: { workflowId: WorkflowId; versionId: string; graph: GraphContent; authorId: string },
): Promise<void> {
  const encoded = encodeGraph(graph);
  await new GraphRepository(tx).store(workflowId, encoded);
  await tx
    .insertInto('workflow_versions')
    .values({ id: versionId, workflow_id: workflowId, graph_hash: encoded.hash, author_id: authorId })
    .execute();
}

function jsonOrNull(value: JsonObject | null): string | null {
  return value === null ? null : JSON.stringify(value);
}

function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&');
}
