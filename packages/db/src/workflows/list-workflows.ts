import { TimeSlice, type WorkflowId } from '@sluice/domain';
import { type Kysely, sql } from 'kysely';
import { type Access, anyOf, isAccessible } from '../access.ts';
import { parseStored } from '../json/long-json.ts';
import { type NewestFirst, newestFirst } from '../newest-first.ts';
import type { Tables } from '../tables/tables.ts';
import { tagIdsOf, workflowTags } from '../tag-links.ts';
import { bytesBefore, bytesOfRow, selectHead, selectWithGraphText } from './select-workflow.ts';
import type { Workflow, WorkflowFilter, WorkflowPage, WorkflowSummary } from './workflow.ts';

/**
 * A page of a list ends after the workflow that exceeds this many bytes of JSON: it has to fit into
 * memory and into one string.
 */
const pageBytes = 32 * 1024 * 1024;

/** As in `WorkflowRepository.list`. */
export async function listWorkflows(
  db: Kysely<Tables>,
  filter: WorkflowFilter,
  access: Access,
  page: NewestFirst,
): Promise<WorkflowPage> {
  const selection = selectWithGraphText(db)
    .select([bytesOfRow.as('bytes'), bytesBefore.as('bytesBefore'), sql<string>`count(*) OVER ()`.as('found')])
    .where('w.id', '=', idsOf(db, filter, access, page));
  const rows = await db
    .selectFrom(selection.as('w'))
    .selectAll()
    .where('w.bytesBefore', '<', pageBytes)
    .orderBy('w.createdAt', 'desc')
    .orderBy('w.id', 'desc')
    .execute();
  const slice = new TimeSlice();
  const workflows: Workflow[] = [];
  let bytes = 0;
  for (const { bytes: ofRow, bytesBefore: _before, found: _found, graph, ...head } of rows) {
    bytes += Number(ofRow);
    workflows.push({ ...head, graph: await parseStored(graph) } as Workflow);
    if (slice.isOver) await slice.next();
  }
  return { workflows, cut: rows.length < Number(rows[0]?.found ?? 0), bytes };
}

/** As in `WorkflowRepository.listSummaries`. */
export function listWorkflowSummaries(
  db: Kysely<Tables>,
  filter: WorkflowFilter,
  access: Access,
  page: NewestFirst,
): Promise<WorkflowSummary[]> {
  return selectHead(db)
    .select(tagIdsOf(workflowTags, 'w.id').as('tags'))
    .where('w.id', '=', idsOf(db, filter, access, page))
    .orderBy('w.created_at', 'desc')
    .orderBy('w.id', 'desc')
    .execute();
}

/** The workflows of a page, by `any` of their ids. */
function idsOf(db: Kysely<Tables>, filter: WorkflowFilter, access: Access, page: NewestFirst) {
  const ids = db.selectFrom('workflows as w').select('w.id').where(isAccessible(access, 'w.project_id'));
  let query = newestFirst(ids, 'w', page);
  if (filter.name !== undefined) query = query.where(isNamedLike(filter.name));
  if (filter.active !== undefined) query = query.where('w.active', '=', filter.active);
  if (filter.projectId !== undefined) query = query.where('w.project_id', '=', filter.projectId);
  if (filter.tagIds && filter.tagIds.length > 0) query = query.where(hasTags(filter.tagIds));
  return sql<WorkflowId>`any(array(${query}))`;
}

/**
 * The second condition uses an index on names; with fewer than three characters, it excludes
 * nothing.
 */
function isNamedLike(part: string) {
  const like = sql<boolean>`w.name ILIKE ${`%${escapeLike(part)}%`}`;
  return [...part].length < 3 ? like : sql<boolean>`(${like} AND name_grams(w.name) @> name_grams(${part}))`;
}

/**
 * Finds the workflows that have all of the tags first, then reads these one by one: the cost
 * depends only on their number.
 */
function hasTags(tagIds: readonly string[]) {
  return sql<boolean>`w.id = ANY (ARRAY(SELECT t.workflow_id FROM workflow_tags t WHERE t.tag_id = ${anyOf(tagIds)}
    GROUP BY t.workflow_id HAVING count(*) = ${tagIds.length}))`;
}

function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&');
}
