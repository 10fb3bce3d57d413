import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { type Access, anyOf } from '../../access.ts';

/**
 * Condition on a row of `executions` or an alias: it belongs to one of the projects (`all`: any).
 * Rows that have not followed their workflow yet match no project, because the project that they
 * name is out of date.
 */
export function belongsTo(projectIds: 'all' | Iterable<string>, alias = 'executions'): RawBuilder<SqlBool> {
  if (projectIds === 'all') return sql<SqlBool>`true`;
  const ids = [...projectIds];
  return sql<SqlBool>`(${sql.ref(`${alias}.project_id`)} = ${anyOf(ids)} AND ${hasNotLeft(ids, alias)})`;
}

/** Whether a row that names one of the projects still belongs to it. */
function hasNotLeft(projectIds: readonly string[], alias: string): RawBuilder<SqlBool> {
  // An array that is computed once and is nearly always empty: a join would distort the planner's
  // estimates.
  return sql<SqlBool>`${sql.ref(`${alias}.workflow_id`)} <> ALL (ARRAY(
    SELECT m.workflow_id FROM execution_moves m JOIN workflows w ON w.id = m.workflow_id
    WHERE NOT w.project_id = ${anyOf(projectIds)}))`;
}

/**
 * The project of an execution's workflow, which decides who may see the execution. A column for
 * statements on `executions`.
 */
export const owningProject = sql<string>`(SELECT w.project_id FROM workflows w WHERE w.id = executions.workflow_id)`;

/**
 * Condition on a row of `executions`: its project is one of `access`. For few rows only: it runs a
 * subquery for each.
 */
export function isOwnedBy({ projectIds }: Access): RawBuilder<SqlBool> {
  return projectIds === 'all' ? sql<SqlBool>`true` : sql<SqlBool>`${owningProject} = ${anyOf(projectIds)}`;
}
