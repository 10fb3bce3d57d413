import type { ExecutionId, ExecutionMode, ExecutionStatus } from '@sluice/domain';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { type Access, anyOf } from '../access.ts';
import type { Tables } from '../tables/tables.ts';
import type { ListScope } from './newest-executions.ts';

export interface ExecutionFilter {
  statuses?: readonly ExecutionStatus[];
  workflowId?: string;
  projectId?: string;
  mode?: ExecutionMode;
  /** Compared with the start, or with the creation of what has not started (Contract 4.1). */
  startedAfter?: Date;
  startedBefore?: Date;
}

interface Found {
  visible: boolean;
  moving: string[];
  from_id: ExecutionId | null;
  before_id: ExecutionId | null;
}

/**
 * What a filter means for this caller, in terms that indexes serve; `undefined`: the caller can see nothing of it. Costs one round
 * trip, or none where everything is asked for by somebody who sees everything.
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
  const [found] = rows;
  if (!found?.visible) return undefined;
  return {
    ...filter,
    ...(projectIds && { projectIds }),
    ...(found.from_id !== null && { fromId: found.from_id }),
    ...(found.before_id !== null && { beforeId: found.before_id }),
    moving: found.moving,
  };
}

/** Executions of a scope, without those that an index alone cannot tell; but for `strays`, all of them are of the scope. */
export interface InnerScope {
  scope: ListScope;
  strays: number;
}

/**
 * The part of a period where ids say all: what was created in it, and well before its end. Only what waited for long may still have
 * begun after it. `undefined`: the scope has no period.
 */
export async function findInnerScope(db: Kysely<Tables>, scope: ListScope, maxStrays: number): Promise<InnerScope | undefined> {
  const { startedAfter, startedBefore, fromId, beforeId, ...rest } = scope;
  if (!startedAfter && !startedBefore) return undefined;
  const from = startedAfter ? sql`first_execution_since(${startedAfter}::timestamptz + interval '2 minutes')` : sql`NULL`;
  const end = startedBefore ? sql`first_execution_since(${startedBefore}::timestamptz - interval '62 minutes')` : sql`NULL`;
  const strays = startedBefore
    ? sql`(SELECT count(*) FROM (SELECT FROM executions WHERE ${startedLate} AND started_at > ${startedBefore}
        LIMIT ${maxStrays}) AS late)::int`
    : sql`0`;
  const { rows } = await sql<{ from_id: ExecutionId | null; before_id: ExecutionId | null; strays: number }>`
    SELECT ${from} AS from_id, ${end} AS before_id, ${strays} AS strays`.execute(db);
  const [found] = rows;
  if (!found) return undefined;
  const range = {
    ...(found.from_id !== null && { fromId: found.from_id }),
    ...(found.before_id !== null && { beforeId: found.before_id }),
  };
  return { scope: { ...rest, ...range }, strays: found.strays };
}

/** As the index has it. */
const startedLate = sql<boolean>`started_at - created_at > interval '1 hour'`;

/** `undefined`: all. */
function projectsOf(projectId: string | undefined, access: Access): readonly string[] | undefined {
  if (projectId !== undefined) return access.includes(projectId) ? [projectId] : [];
  return access.projectIds === 'all' ? undefined : [...access.projectIds];
}

/** Executions belong to their workflow: who sees it sees them, and no project has to be asked for. */
function isVisible(workflowId: string | undefined, projectIds: readonly string[] | undefined): RawBuilder<boolean> {
  if (workflowId === undefined) return sql`true`;
  const inProjects = projectIds ? sql`project_id = ${anyOf(projectIds)}` : sql`true`;
  return sql`EXISTS (SELECT FROM workflows WHERE id = ${workflowId} AND ${inProjects})`;
}

/** Workflows that have left these projects, though their executions may still have to follow. Nearly always none. */
function movingFrom(projectIds: readonly string[] | undefined): RawBuilder<string[]> {
  if (!projectIds) return sql`'{}'::text[]`;
  return sql`ARRAY(SELECT m.workflow_id FROM execution_moves m JOIN workflows w ON w.id = m.workflow_id
    WHERE NOT w.project_id = ${anyOf(projectIds)})`;
}

/**
 * The least id of what may have begun at an instant or later: what starts within an hour is found by its creation, and what starts
 * later than that has an index of its own. Two more minutes, here and below, are for ids drawn in another order than the clock says.
 */
function firstOf(startedAfter: Date | undefined): RawBuilder<ExecutionId | null> {
  if (!startedAfter) return sql`NULL`;
  // OFFSET 0: else the minimum would be searched for among all ids, from the least one up.
  return sql`least(first_execution_since(${startedAfter}::timestamptz - interval '62 minutes'), (
    SELECT min(late.id) FROM (SELECT id FROM executions
      WHERE ${startedLate} AND started_at >= ${startedAfter} OFFSET 0) AS late))`;
}

/** The id above all of what began at an instant or before: nothing begins before it is created. */
function endOf(startedBefore: Date | undefined): RawBuilder<ExecutionId | null> {
  if (!startedBefore) return sql`NULL`;
  return sql`first_execution_since(${startedBefore}::timestamptz + interval '2 minutes')`;
}
