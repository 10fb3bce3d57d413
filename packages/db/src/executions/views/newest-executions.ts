import type { ExecutionId, ExecutionMode, ExecutionStatus, WorkflowId } from '@sluice/domain';
import { type RawBuilder, sql } from 'kysely';
import { anyOf } from '../../access.ts';

/** Filter of a list. Every given field has to match. */
export interface ListScope {
  statuses?: readonly ExecutionStatus[] | undefined;
  /** A workflow that the caller may see; then `projectIds` is ignored. */
  workflowId?: WorkflowId | undefined;
  /** Absent: all projects. */
  projectIds?: readonly string[];
  /** Workflows that have left these projects and whose executions may still have to follow. */
  moving: readonly WorkflowId[];
  mode?: ExecutionMode | undefined;
  startedAfter?: Date | undefined;
  startedBefore?: Date | undefined;
  /** Lower bound (inclusive) and upper bound (exclusive) of the ids in the period. */
  fromId?: ExecutionId;
  beforeId?: ExecutionId;
  /** The page starts below this id. */
  olderThan?: ExecutionId;
}

/** Each walk costs planning time; beyond this number, a single walk that filters is cheaper. */
const maxWalks = 32;

/** The ids of the newest `limit` executions of a scope, newest first, as a subquery. */
export function newestIds(scope: ListScope, limit: number): RawBuilder<{ id: ExecutionId }> {
  return sql`(SELECT id FROM ${walks(scope, limit)} AS walks ORDER BY id DESC LIMIT ${limit})`;
}

/** One empty row for each execution of a scope, `limit` at most, as a subquery. */
export function atMost(scope: ListScope, limit: number): RawBuilder<object> {
  return sql`(SELECT FROM ${walks(scope, limit)} AS walks LIMIT ${limit})`;
}

/** The same scope as one condition on `executions`, for the planner's estimate. */
export function matches(scope: ListScope): RawBuilder<boolean> {
  return all([...indexedConditions(scope), ...otherConditions(scope)]);
}

/**
 * An index returns rows in id order only for one project, workflow, status, or mode at a time. So
 * this walks the newest rows of each separately: the cost grows with the page, not with the table.
 * Each walk has its own values, so that the planner can estimate it.
 */
function walks(scope: ListScope, limit: number): RawBuilder<{ id: ExecutionId }> {
  const { workflowId, projectIds, statuses } = scope;
  const owners = workflowId === undefined && projectIds ? projectIds.map((id) => ({ projectIds: [id] })) : [{}];
  const ends = statuses ? [...new Set(statuses)].map((status) => ({ statuses: [status] })) : [{}];
  const apart = owners.length * ends.length <= maxWalks;
  const scopes = apart ? owners.flatMap((owner) => ends.map((end) => ({ ...scope, ...owner, ...end }))) : [scope];
  const walk = (one: ListScope) =>
    sql`(SELECT executions.id FROM executions WHERE ${matches(one)} ORDER BY executions.id DESC LIMIT ${limit})`;
  return sql`(${sql.join(scopes.map(walk), sql` UNION ALL `)})`;
}

function indexedConditions({ workflowId, projectIds, statuses }: ListScope): RawBuilder<boolean>[] {
  return [
    ...(workflowId !== undefined || !projectIds ? [] : [sql<boolean>`executions.project_id = ${oneOf(projectIds)}`]),
    ...(statuses ? [sql<boolean>`executions.status = ${oneOf(statuses)}`] : []),
  ];
}

/**
 * A comparison with a single value keeps the index order, which `= any(…)` with a list of one would
 * lose.
 */
function oneOf(texts: readonly string[]): RawBuilder<string> {
  return texts.length === 1 ? sql`${texts[0]}` : anyOf(texts);
}

function otherConditions(scope: ListScope): RawBuilder<boolean>[] {
  const { workflowId, moving, mode, startedAfter, startedBefore, fromId, beforeId, olderThan } = scope;
  const started = sql`coalesce(executions.started_at, executions.created_at)`;
  return [
    ...(workflowId === undefined ? [] : [sql<boolean>`executions.workflow_id = ${workflowId}`]),
    ...(moving.length > 0 ? [sql<boolean>`NOT executions.workflow_id = ${anyOf(moving)}`] : []),
    ...(mode ? [sql<boolean>`executions.mode = ${mode}`] : []),
    ...(startedAfter ? [sql<boolean>`${started} >= ${startedAfter}`] : []),
    ...(startedBefore ? [sql<boolean>`${started} <= ${startedBefore}`] : []),
    ...(fromId === undefined ? [] : [sql<boolean>`executions.id >= ${fromId}`]),
    ...(beforeId === undefined ? [] : [sql<boolean>`executions.id < ${beforeId}`]),
    ...(olderThan === undefined ? [] : [sql<boolean>`executions.id < ${olderThan}`]),
  ];
}

function all(conditions: readonly RawBuilder<boolean>[]): RawBuilder<boolean> {
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` AND `);
}
