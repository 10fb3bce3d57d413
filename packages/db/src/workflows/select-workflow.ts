import { ForbiddenError, NotFoundError, shownId, type WorkflowId } from '@sluice/domain';
import { type Kysely, sql } from 'kysely';
import type { Access } from '../access.ts';
import { microsecondsOf } from '../newest-first.ts';
import type { Tables } from '../tables/tables.ts';
import { tagIdsOf, workflowTags } from '../tag-links.ts';
import type { WorkflowHead } from './workflow.ts';

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
 * For pages: the graph as JSON text. If it is parsed after the whole page has been read, the
 * garbage collector frees it early; parsed row by row during the read, it survives collections,
 * which then pause for 15 ms (`bench/lists.ts`).
 */
export function selectWithGraphText(db: Kysely<Tables>) {
  return selectJoined(db).select(sql<string>`g.content::text`.as('graph'));
}

function selectJoined(db: Kysely<Tables>) {
  return selectHead(db)
    .innerJoin('workflow_graphs as g', (join) => join.onRef('g.workflow_id', '=', 'w.id').onRef('g.hash', '=', 'v.graph_hash'))
    .select(['w.static_data as staticData', 'w.meta', tagIdsOf(workflowTags, 'w.id').as('tags')]);
}

/** Bytes of JSON that `selectWithGraph` reads for a row. */
export const bytesOfRow = sql<number>`g.bytes + coalesce(octet_length(w.static_data::text), 0) + coalesce(octet_length(w.meta::text), 0)`;

/** Running total of `bytesOfRow` for the rows before this one, newest first. */
export const bytesBefore = sql<number>`coalesce(sum(${bytesOfRow})
  OVER (ORDER BY w.created_at DESC, w.id DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)`;

/** Throws `NotFoundError`, or `ForbiddenError` for a workflow in a project outside `access`. */
export function checked<T extends WorkflowHead>(id: WorkflowId, access: Access, workflow: T | undefined): T {
  if (!workflow) throw new NotFoundError(`workflow ${shownId(id)} does not exist`);
  if (!access.includes(workflow.projectId))
    throw new ForbiddenError(`workflow ${id} is not accessible with the role that this needs`);
  return workflow;
}
