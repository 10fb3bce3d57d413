import type { ExecutionId, ExecutionMode, ExecutionStatus } from '@sluice/domain';
import { type Selectable, type SelectQueryBuilder, sql } from 'kysely';
import { type Access, anyOf } from '../access.ts';
import type { Database } from '../database.ts';
import type { ExecutionTable } from '../tables/execution-tables.ts';
import type { Tables } from '../tables/tables.ts';
import { type Execution, toExecution } from './execution.ts';

export interface ExecutionFilter {
  statuses?: readonly ExecutionStatus[];
  workflowId?: string;
  projectId?: string;
  mode?: ExecutionMode;
  /** Compared with the start, or with the creation of what has not started (decision 4.1). */
  startedAfter?: Date;
  startedBefore?: Date;
}

export interface ListedExecution extends Execution {
  workflowName: string;
}

/** `count` is exact up to this number under the same filter, an estimate above it (decision 4.2). */
const exactCountLimit = 10_000;

type Filtered = SelectQueryBuilder<Tables, 'executions', object>;

/** The read model behind `GET /executions`. */
export class ExecutionList {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Newest first, ids below `beforeId`. */
  async page(
    filter: ExecutionFilter,
    access: Access,
    page: { limit: number; beforeId?: ExecutionId },
  ): Promise<ListedExecution[]> {
    let query = this.#matching(filter, access);
    if (page.beforeId !== undefined) query = query.where('executions.id', '<', page.beforeId);
    const rows = await query
      .innerJoin('workflows', 'workflows.id', 'executions.workflow_id')
      .selectAll('executions')
      .select('workflows.name as workflow_name')
      .orderBy('executions.id', 'desc')
      .limit(page.limit)
      .execute();
    return (rows as (Selectable<ExecutionTable> & { workflow_name: string })[]).map((row) => ({
      ...toExecution(row),
      workflowName: row.workflow_name,
    }));
  }

  async count(filter: ExecutionFilter, access: Access): Promise<{ count: number; estimated: boolean }> {
    const some = this.#matching(filter, access)
      .select(sql.lit(1).as('one'))
      .limit(exactCountLimit + 1);
    const { n } = await this.#db.kysely
      .selectFrom(some.as('matching'))
      .select((eb) => eb.fn.countAll<string>().as('n'))
      .executeTakeFirstOrThrow();
    if (Number(n) <= exactCountLimit) return { count: Number(n), estimated: false };
    return { count: Math.max(exactCountLimit + 1, await this.#estimate(filter, access)), estimated: true };
  }

  /** How many executions of the caller's projects are running now. */
  async countRunning(access: Access): Promise<number> {
    const { n } = await this.#matching({ statuses: ['running'] }, access)
      .select((eb) => eb.fn.countAll<string>().as('n'))
      .executeTakeFirstOrThrow();
    return Number(n);
  }

  /** The planner's guess under the same filter: it costs no scan. */
  async #estimate(filter: ExecutionFilter, access: Access): Promise<number> {
    const plan = await this.#matching(filter, access)
      .select('executions.id')
      .explain<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>('json');
    return plan[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0;
  }

  #matching(filter: ExecutionFilter, access: Access): Filtered {
    const began = sql<Date>`coalesce(executions.started_at, executions.created_at)`;
    let query: Filtered = this.#db.kysely.selectFrom('executions');
    if (access.projectIds !== 'all') query = query.where('executions.project_id', '=', anyOf(access.projectIds));
    if (filter.statuses) query = query.where('executions.status', 'in', [...filter.statuses]);
    if (filter.workflowId !== undefined) query = query.where('executions.workflow_id', '=', filter.workflowId);
    if (filter.projectId !== undefined) query = query.where('executions.project_id', '=', filter.projectId);
    if (filter.mode) query = query.where('executions.mode', '=', filter.mode);
    if (filter.startedAfter) query = query.where(began, '>=', filter.startedAfter);
    if (filter.startedBefore) query = query.where(began, '<=', filter.startedBefore);
    return query;
  }
}
