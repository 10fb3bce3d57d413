import { type ExecutionId, ForbiddenError, type JsonObject, NotFoundError, type WorkflowId } from '@sluice/domain';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Access } from '../access.ts';
import { encodeGraph, GraphRepository } from '../executions/graph-repository.ts';
import type { Tables } from '../tables/tables.ts';
import type { GraphContent } from '../tables/workflow-tables.ts';
import { microsecondsOf } from './newest-first.ts';
import { tagIdsOf, workflowTags } from './tag-links.ts';

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
  /** Ids, in the order in which they were given. */
  tags: string[];
}

export interface NewWorkflow {
  /** Absent: generated. */
  id?: WorkflowId;
  projectId: string;
  graph: GraphContent;
  staticData: JsonObject | null;
  meta: JsonObject | null;
  tags?: readonly string[];
  authorId: string;
}

export interface WorkflowFilter {
  /** Part of the name, in any case; `%` and `_` stand for themselves. */
  name?: string;
  active?: boolean;
  projectId?: string;
  /** The workflow has all of them. */
  tagIds?: readonly string[];
}

/** A page of a list. */
export interface WorkflowPage {
  workflows: Workflow[];
  /** It ends before its limit, since its workflows are large; there are more. */
  cut: boolean;
}

/** What a save puts in place of the current content. */
export interface WorkflowRevision {
  graph: GraphContent;
  staticData: JsonObject | null;
  /** Absent: they stay. */
  tags?: readonly string[];
}

export interface Activation {
  /** Absent: the newest. */
  versionId?: string;
  /** Label of the version; absent: it keeps what it has. */
  name?: string;
  description?: string;
}

/** A workflow that has just been activated. */
export interface ActivatedWorkflow extends Workflow {
  /** Executions that the activation itself has started; they have to be enqueued. */
  started: readonly ExecutionId[];
}

export interface DeletedWorkflow {
  id: WorkflowId;
  name: string;
  /** Executions that had not ended, and what they had called in other workflows. */
  canceled: ExecutionId[];
}

export function selectHead(db: Kysely<Tables>) {
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
      microsecondsOf('w.created_at').as('createdAtUs'),
      microsecondsOf('w.updated_at').as('updatedAtUs'),
    ]);
}

export function selectWithGraph(db: Kysely<Tables>) {
  return selectJoined(db).select('g.content as graph');
}

/**
 * For pages: the graph as JSON text. Parsed once the page is there, it is young and dies young; parsed row by row while the page comes in, it outlives
 * collections, which then pause for 15 ms (`bench/lists.ts`).
 */
export function selectWithGraphText(db: Kysely<Tables>) {
  return selectJoined(db).select(sql<string>`g.content::text`.as('graph'));
}

function selectJoined(db: Kysely<Tables>) {
  return selectHead(db)
    .innerJoin('workflow_graphs as g', (join) => join.onRef('g.workflow_id', '=', 'w.id').onRef('g.hash', '=', 'v.graph_hash'))
    .select(['w.static_data as staticData', 'w.meta', tagIdsOf(workflowTags, 'w.id').as('tags')]);
}

/** Bytes of what `selectWithGraph` finds in the rows before this one, newest first. */
export const bytesBefore = sql<number>`coalesce(sum(g.bytes
  + coalesce(octet_length(w.static_data::text), 0) + coalesce(octet_length(w.meta::text), 0))
  OVER (ORDER BY w.created_at DESC, w.id DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)`;

/** Throws `NotFoundError`, or `ForbiddenError` for one in a project outside `access`. */
export function checked<T extends WorkflowHead>(id: WorkflowId, access: Access, workflow: T | undefined): T {
  if (!workflow) throw new NotFoundError(`workflow ${id} does not exist`);
  if (!access.includes(workflow.projectId)) throw new ForbiddenError(`workflow ${id} is not accessible`);
  return workflow;
}

/**
 * A statement of its own: one that joined the version while it waits for the lock would look for the version of before and find
 * nothing.
 */
export async function lockWorkflow(tx: Transaction<Tables>, id: WorkflowId): Promise<void> {
  await tx.selectFrom('workflows').select('id').where('id', '=', id).forUpdate().execute();
}

export interface NewVersion {
  workflowId: WorkflowId;
  versionId: string;
  graph: GraphContent;
  authorId: string;
}

/** Stores a version under the workflow's lock: the clock, read only then, gives versions the order of the saves. */
export async function saveVersion(
  tx: Transaction<Tables>,
  { workflowId, versionId, graph, authorId }: NewVersion,
): Promise<void> {
  const encoded = encodeGraph(graph);
  await new GraphRepository(tx).store(workflowId, encoded);
  await tx
    .insertInto('workflow_versions')
    .values({
      id: versionId,
      workflow_id: workflowId,
      graph_hash: encoded.hash,
      author_id: authorId,
      created_at: sql`clock_timestamp()`,
    })
    .execute();
}
