import type { ExecutionId, ExecutionMode, ExecutionStatus, WorkflowId } from '@sluice/domain';
import { type RawBuilder, sql } from 'kysely';
import { anyOf } from '../access.ts';

/** What a list asks for. Everything that is given has to match. */
export interface ListScope {
  statuses?: readonly ExecutionStatus[];
  /** One whose accessibility has been checked; then `projectIds` does not matter. */
  workflowId?: WorkflowId;
  /** Absent: all projects. */
  projectIds?: readonly string[];
  /** Workflows that have left these projects, though their executions may still have to follow. */
  moving: readonly WorkflowId[];
  mode?: ExecutionMode;
  startedAfter?: Date;
  startedBefore?: Date;
  /** Ids from this one on, and below that one: all of the period. */
  fromId?: ExecutionId;
  beforeId?: ExecutionId;
  /** The page goes on below this one. */
  olderThan?: ExecutionId;
}

/** Each costs the planner some time; beyond so many, one walk that skips what is of no interest is better. */
const maxWalks = 32;

/** The ids of the newest `limit` executions of a scope, newest first, as a subquery. */
export function newestIds(scope: ListScope, limit: number): RawBuilder<{ id: ExecutionId }> {
  return sql`(SELECT id FROM ${walks(scope, limit)} AS walks ORDER BY id DESC LIMIT ${limit})`;
}

/** As many executions of a scope, but `limit` at most, one empty row for each, as a subquery. */
export function atMost(scope: ListScope, limit: number): RawBuilder<object> {
  return sql`(SELECT FROM ${walks(scope, limit)} AS walks LIMIT ${limit})`;
}

/** The same scope as one condition on `executions`, for an estimate of how many there are. */
export function matches(scope: ListScope): RawBuilder<boolean> {
  return all([...ownConditions(scope), ...otherConditions(scope)]);
}

/**
 * An index gives its rows in the order of the ids only for one project, workflow, status or mode at a time. So this walks through the
 * newest of each: what it reads grows with the page, not with the table. The walks are apart, each with its own values, so that the
 * planner knows for each how much there is of it.
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

function ownConditions({ workflowId, projectIds, statuses }: ListScope): RawBuilder<boolean>[] {
  return [
    ...(workflowId !== undefined || !projectIds ? [] : [sql<boolean>`executions.project_id = ${oneOf(projectIds)}`]),
    ...(statuses ? [sql<boolean>`executions.status = ${oneOf(statuses)}`] : []),
  ];
}

/** A comparison with one value keeps the order of an index that one with any of a list of one would lose. */
function oneOf(texts: readonly string[]): RawBuilder<string> {
  return texts.length === 1 ? sql`${texts[0]}` : anyOf(texts);
}

function otherConditions(scope: ListScope): RawBuilder<boolean>[] {
  const { workflowId, moving, mode, startedAfter, startedBefore, fromId, beforeId, olderThan } = scope;
  const began = sql`coalesce(executions.started_at, executions.created_at)`;
  return [
    ...(workflowId === undefined ? [] : [sql<boolean>`executions.workflow_id = ${workflowId}`]),
    ...(moving.length > 0 ? [sql<boolean>`NOT executions.workflow_id = ${anyOf(moving)}`] : []),
    ...(mode ? [sql<boolean>`executions.mode = ${mode}`] : []),
    ...(startedAfter ? [sql<boolean>`${began} >= ${startedAfter}`] : []),
    ...(startedBefore ? [sql<boolean>`${began} <= ${startedBefore}`] : []),
    ...(fromId === undefined ? [] : [sql<boolean>`executions.id >= ${fromId}`]),
    ...(beforeId === undefined ? [] : [sql<boolean>`executions.id < ${beforeId}`]),
    ...(olderThan === undefined ? [] : [sql<boolean>`executions.id < ${olderThan}`]),
  ];
}

function all(conditions: readonly RawBuilder<boolean>[]): RawBuilder<boolean> {
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` AND `);
}
