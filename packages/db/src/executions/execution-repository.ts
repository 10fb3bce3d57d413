import { type ExecutionId, type ExecutionMode, type ExecutionStatus, isExecutionId } from '@sluice/domain';
import { type Kysely, sql } from 'kysely';
import { type Access, anyOf } from '../access.ts';
import { noteForAudit } from '../audit/audit-trail.ts';
import type { Database, PreparedStatement } from '../connection/database.ts';
import { belongsTo, isOwnedBy, owningProject } from '../executions/row/owning-project.ts';
import { inTransaction } from '../statements/in-transaction.ts';
import { selectByKey } from '../statements/statement.ts';
import type { Tables } from '../tables/tables.ts';
import type { QueueGauge } from './queue/queue-gauge.ts';
import type { Execution } from './row/execution.ts';
import { claimKey, findStarted, type IdempotencyKey, type StartedOnce } from './start/idempotency-key.ts';
import type { NewExecution } from './start/insert-executions.ts';
import { copyRunData, insertRetry, type NewRetry } from './start/insert-retry.ts';
import { startInTransaction } from './start/start-in-transaction.ts';
import { accessible, getExecution, type OwnedRow, selectExecutions, toOwned } from './views/get-execution.ts';
import { type ShownExecution, type ShownRow, selectShown, toShown } from './views/shown-execution.ts';
import { cancelMatching } from './waits/cancel-matching.ts';

/** `execution`: the inserted row. */
export type StartedRetry = { id: ExecutionId; repeated: true } | { id: ExecutionId; repeated: false; execution: Execution };

export interface CancelFilter {
  /** Absent: all workflows. */
  workflowId?: string | undefined;
  /** Absent: all projects of the access. */
  projectId?: string | undefined;
  mode?: ExecutionMode | undefined;
  statuses: readonly Extract<ExecutionStatus, 'new' | 'running' | 'waiting'>[];
  startedAfter?: Date | undefined;
  startedBefore?: Date | undefined;
  /** The oldest matching executions, up to this number. */
  limit?: number | undefined;
}

export interface CanceledExecution {
  id: ExecutionId;
  stoppedAt: Date;
  /** Its unfinished sub-executions, at every depth, canceled with it. */
  called: ExecutionId[];
  /** The parent execution, which waits for it. */
  parentId: ExecutionId | null;
}

export interface CanceledExecutions {
  /** The matching executions. */
  ids: ExecutionId[];
  /** Their sub-executions, at every depth, that did not match themselves. */
  called: ExecutionId[];
}

/** The API's reads and writes of executions. Every read takes the caller's `Access`. */
export class ExecutionRepository {
  readonly #db: Kysely<Tables>;
  readonly #query: Database['query'];
  readonly #byId: (id: ExecutionId) => PreparedStatement;
  readonly #shownById: (id: ExecutionId) => PreparedStatement;
  readonly #queueGauge: QueueGauge | undefined;

  /** `queueGauge`: reports projects with a full queue; absent: no limit. */
  constructor(
    { kysely, query }: Pick<Database, 'kysely' | 'query'>,
    { queueGauge }: { queueGauge?: QueueGauge | undefined } = {},
  ) {
    this.#db = kysely;
    this.#query = query;
    this.#byId = selectByKey('get-execution', selectExecutions(kysely).where('id', '=', ''));
    const shown = selectShown(kysely).select(owningProject.as('owner'));
    this.#shownById = selectByKey('get-shown-execution', shown.where('executions.id', '=', ''));
    this.#queueGauge = queueGauge;
  }

  /** Throws `NotFoundError`, or `ForbiddenError` for an execution in a project outside `access`. */
  async get(id: ExecutionId, access: Access): Promise<Execution> {
    const [row] = isExecutionId(id) ? await this.#query<OwnedRow>(this.#byId(id)) : [];
    return accessible(id, access, row && toOwned(row));
  }

  /** Like `get`, with the data that the API shows with the execution. */
  async getShown(id: ExecutionId, access: Access): Promise<ShownExecution> {
    const [row] = isExecutionId(id) ? await this.#query<ShownRow & OwnedRow>(this.#shownById(id)) : [];
    return accessible(id, access, row && { ...toShown(row), projectId: row.owner });
  }

  /**
   * Inserts the execution as `new` unless the key has started one within 24 hours. Throws
   * `ConflictError` if that execution has been deleted.
   */
  async startOnce(execution: NewExecution, key: IdempotencyKey): Promise<StartedOnce> {
    return startInTransaction(this.#db, this.#queueGauge, async (tx, insert) => {
      const [id] = await insert([execution]); // counts toward the queue, even for a repeat, which only makes the next count run earlier
      if (!(id instanceof Error)) return withAuditNote(await claimKey(tx, key, id));
      const first = id.code === 'QUEUE_FULL' ? await findStarted(tx, key) : undefined;
      if (first === undefined) throw id;
      return withAuditNote({ id: first, repeated: true });
    });
  }

  /**
   * The execution that the key has started within 24 hours. Throws `ConflictError` if it has been
   * deleted.
   */
  async findStarted(key: IdempotencyKey): Promise<ExecutionId | undefined> {
    const id = await findStarted(this.#db, key);
    if (id !== undefined) noteForAudit({ details: { executionId: id } });
    return id;
  }

  /**
   * Inserts a retry: `running` and started, but unclaimed (Contract 4.6). Like any other execution,
   * it has its full time limit at the claim. The original's input and the kept node runs are copied
   * within the database, so the retry does not depend on the original later. The key works as in
   * `startOnce`.
   */
  async retry(retry: NewRetry, key?: IdempotencyKey): Promise<StartedRetry> {
    return inTransaction(this.#db, async (tx) => {
      const execution = await insertRetry(tx, retry);
      const { id } = execution;
      if (key) {
        const claimed = await claimKey(tx, key, id);
        if (claimed.repeated) return withAuditNote({ id: claimed.id, repeated: true });
      }
      await copyRunData(tx, retry, id);
      return withAuditNote({ id, repeated: false, execution });
    });
  }

  /**
   * Moves one unfinished execution and its sub-executions to `canceled`; `undefined` if it had
   * already ended. Throws the errors of `get`.
   */
  async cancel(id: ExecutionId, access: Access): Promise<CanceledExecution | undefined> {
    return inTransaction(this.#db, async (tx) => {
      await getExecution(tx, id, access);
      const { canceled, called } = await cancelMatching(tx, (live) => live.where('id', '=', id).where(isOwnedBy(access)));
      const [row] = canceled;
      if (!row) return undefined;
      noteForAudit({ projectId: row.project_id });
      return { id: row.id, stoppedAt: row.stopped_at as Date, called, parentId: row.parent_execution_id };
    });
  }

  /**
   * Moves all matching executions to `canceled` in one statement, and then their sub-executions.
   */
  async cancelMany(filter: CancelFilter, access: Access): Promise<CanceledExecutions> {
    return inTransaction(this.#db, async (tx) => {
      const { ids, called } = await cancelMatching(tx, (live) => {
        const matching = live.where(cancelable(filter, access));
        return filter.limit === undefined ? matching : matching.limit(filter.limit);
      });
      noteForAudit({ details: { count: ids.length } });
      return { ids, called };
    });
  }

  /** Number of executions that `cancelMany` would cancel, excluding their sub-executions. */
  async countCancelable({ limit, ...filter }: CancelFilter, access: Access): Promise<number> {
    const matching = this.#db.selectFrom('executions').where(cancelable(filter, access));
    const { n } = await matching.select(({ fn }) => fn.countAll<string>().as('n')).executeTakeFirstOrThrow();
    return Math.min(Number(n), limit ?? Number.POSITIVE_INFINITY);
  }

  /**
   * Deletes executions with all their data; ids that do not exist are skipped. `check` receives the
   * locked executions and may throw to prevent the deletion. Resolves to their number. `dryRun`:
   * deletes nothing.
   */
  async deleteMany(
    ids: readonly ExecutionId[],
    check: (executions: readonly Execution[]) => void,
    { dryRun = false } = {},
  ): Promise<number> {
    const existing = ids.filter(isExecutionId);
    if (existing.length === 0) return 0;
    return inTransaction(this.#db, async (tx) => {
      const byIds = selectExecutions(tx).where('id', '=', sql<string>`any(${existing}::bigint[])`);
      const rows = await byIds.orderBy('id').forUpdate().execute();
      check(rows.map(toOwned));
      if (dryRun) return rows.length;
      await tx.deleteFrom('executions').where('id', '=', sql<string>`any(${existing}::bigint[])`).execute();
      noteForAudit({ details: { ids: rows.map(({ id }) => id), count: rows.length } });
      return rows.length;
    });
  }
}

/** Adds the started execution to the audit line, which names the workflow. */
function withAuditNote<T extends StartedOnce>(started: T): T {
  noteForAudit({ details: { executionId: started.id } });
  return started;
}

/** Condition on unfinished executions. */
function cancelable(filter: CancelFilter, { projectIds }: Access) {
  const { statuses, workflowId, projectId, mode, startedAfter, startedBefore } = filter;
  const started = sql<Date>`coalesce(started_at, created_at)`;
  const conditions = [
    sql<boolean>`status = ${anyOf(statuses)}`,
    belongsTo(projectIds),
    ...(projectId === undefined ? [] : [belongsTo([projectId])]),
    ...(mode === undefined ? [] : [sql<boolean>`mode = ${mode}`]),
    ...(workflowId === undefined ? [] : [sql<boolean>`workflow_id = ${workflowId}`]),
    ...(startedAfter ? [sql<boolean>`${started} >= ${startedAfter}`] : []),
    ...(startedBefore ? [sql<boolean>`${started} <= ${startedBefore}`] : []),
  ];
  return sql<boolean>`${sql.join(conditions, sql` AND `)}`;
}
