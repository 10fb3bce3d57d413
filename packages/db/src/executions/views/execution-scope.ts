import type { ExecutionId, ExecutionMode, ExecutionStatus } from '@sluice/domain';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { type Access, anyOf } from '../../access.ts';
import type { Tables } from '../../tables/tables.ts';
import type { ListScope } from './newest-executions.ts';

export interface ExecutionFilter {
  statuses?: readonly ExecutionStatus[] | undefined;
  workflowId?: string | undefined;
  projectId?: string | undefined;
  mode?: ExecutionMode | undefined;
  /**
   * Compared with the start time, or with the creation time of executions that have not started
   * (Contract 4.1).
   */
  startedAfter?: Date | undefined;
  startedBefore?: Date | undefined;
}

interface Found {
  visible: boolean;
  moving: string[];
  from_id: ExecutionId | null;
  before_id: ExecutionId | null;
}

/**
 * Translates a filter, for this caller, into conditions that indexes support; `undefined`: no match
 * is visible to the caller. Takes one round trip, or none if the caller has access to everything
 * and sets no filter.
 */
export async function findScope(
  db: Kysely<Tables>,
  { projectId, ...filter }: ExecutionFilter,
  access: Access,
): Promise<ListScope | undefined> {
  const projectIds = projectsOf(projectId, access);
  if (projectIds?.length === 0) return undefined;
  const { workflowId, startedAfter, startedBefore } = filter;
  const nothingToFind = !projectIds && workflowId === undefined && !startedAfter && !startedBefore;
  if (nothingToFind) return { ...filter, moving: [] };
  const { rows } = await sql<Found>`SELECT ${isVisible(workflowId, projectIds)} AS visible,
    ${workflowId === undefined ? movingFrom(projectIds) : sql`'{}'::text[]`} AS moving,
    ${firstOf(startedAfter)} AS from_id, ${endOf(startedBefore)} AS before_id`.execute(db);
  const [row] = rows;
  if (!row?.visible) return undefined;
  return {
    ...filter,
    ...(projectIds && { projectIds }),
    ...(row.from_id !== null && { fromId: row.from_id }),
    ...(row.before_id !== null && { beforeId: row.before_id }),
    moving: row.moving,
  };
}

/**
 * The executions of a scope that can be found by indexes alone; all of them belong to the scope,
 * except the `outliers`.
 */
interface InnerScope {
  scope: ListScope;
  outliers: number;
}

/**
 * The part of a period that is determined by ids alone: executions created in it, well before its
 * end. Only executions that waited for long may have started after it. `undefined`: the scope has
 * no period.
 */
export async function findInnerScope(
  db: Kysely<Tables>,
  scope: ListScope,
  maxOutliers: number,
): Promise<InnerScope | undefined> {
  const { startedAfter, startedBefore, fromId, beforeId, ...rest } = scope;
  if (!startedAfter && !startedBefore) return undefined;
  const from = startedAfter ? sql`first_execution_since(${startedAfter}::timestamptz + interval '2 minutes')` : sql`NULL`;
  const end = startedBefore ? sql`first_execution_since(${startedBefore}::timestamptz - interval '62 minutes')` : sql`NULL`;
  const outliers = startedBefore
    ? sql`(SELECT count(*) FROM (SELECT FROM executions WHERE ${startedLate} AND started_at > ${startedBefore}
        LIMIT ${maxOutliers}) AS late)::int`
    : sql`0`;
  const { rows } = await sql<{ from_id: ExecutionId | null; before_id: ExecutionId | null; outliers: number }>`
    SELECT ${from} AS from_id, ${end} AS before_id, ${outliers} AS outliers`.execute(db);
  const [row] = rows;
  if (!row) return undefined;
  const range = {
    ...(row.from_id !== null && { fromId: row.from_id }),
    ...(row.before_id !== null && { beforeId: row.before_id }),
  };
  return { scope: { ...rest, ...range }, outliers: row.outliers };
}

/** Written as in the index definition. */
const startedLate = sql<boolean>`started_at - created_at > interval '1 hour'`;

/** `undefined`: all. */
function projectsOf(projectId: string | undefined, access: Access): readonly string[] | undefined {
  if (projectId !== undefined) return access.includes(projectId) ? [projectId] : [];
  return access.projectIds === 'all' ? undefined : [...access.projectIds];
}

/**
 * An execution is visible if its workflow is, so with a workflow id there is no project to compare.
 */
function isVisible(workflowId: string | undefined, projectIds: readonly string[] | undefined): RawBuilder<boolean> {
  if (workflowId === undefined) return sql`true`;
  const inProjects = projectIds ? sql`project_id = ${anyOf(projectIds)}` : sql`true`;
  return sql`EXISTS (SELECT FROM workflows WHERE id = ${workflowId} AND ${inProjects})`;
}

/**
 * Workflows that have left these projects and whose executions may still have to follow. Nearly
 * always none.
 */
function movingFrom(projectIds: readonly string[] | undefined): RawBuilder<string[]> {
  if (!projectIds) return sql`'{}'::text[]`;
  return sql`ARRAY(SELECT m.workflow_id FROM execution_moves m JOIN workflows w ON w.id = m.workflow_id
    WHERE NOT w.project_id = ${anyOf(projectIds)})`;
}

/**
 * The smallest id that may have started at or after a time. Executions that start within an hour of
 * their creation are found by creation time; later ones have a separate index. Two more minutes,
 * here and below, allow for ids that were not drawn in clock order.
 */
function firstOf(startedAfter: Date | undefined): RawBuilder<ExecutionId | null> {
  if (!startedAfter) return sql`NULL`;
  // OFFSET 0 keeps the planner from finding the minimum by walking all ids in ascending order.
  return sql`least(first_execution_since(${startedAfter}::timestamptz - interval '62 minutes'), (
    SELECT min(late.id) FROM (SELECT id FROM executions
      WHERE ${startedLate} AND started_at >= ${startedAfter} OFFSET 0) AS late))`;
}

/**
 * Upper bound of the ids that started at or before a time: an execution never starts before its
 * creation.
 */
function endOf(startedBefore: Date | undefined): RawBuilder<ExecutionId | null> {
  if (!startedBefore) return sql`NULL`;
  return sql`first_execution_since(${startedBefore}::timestamptz + interval '2 minutes')`;
}
