import {
  type ExecutionId,
  type ExecutionMode,
  type ExecutionStatus,
  isExecutionId,
  NotFoundError,
  retryableStatuses,
} from '@sluice/domain';
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { type Access, anyOf } from '../access.ts';
import { noteForAudit } from '../audit/audit-trail.ts';
import type { Database, PreparedStatement } from '../database.ts';
import { inTransaction } from '../in-transaction.ts';
import { selectByKey } from '../statement.ts';
import type { ExecutionTable } from '../tables/execution-tables.ts';
import type { Tables } from '../tables/tables.ts';
import { copyBinaries } from './binary-repository.ts';
import { cancelMatching } from './cancel-matching.ts';
import { type Execution, toExecution } from './execution.ts';
import { belongsTo, isOwnedBy, owningProject } from './execution-move-repository.ts';
import { accessible, getExecution, type OwnedRow, selectExecutions, toOwned } from './get-execution.ts';
import type { NewExecution } from './insert-executions.ts';
import type { QueueGauge } from './queue-gauge.ts';
import { type ShownExecution, type ShownRow, selectShown, toShown } from './shown-execution.ts';
import { startInTransaction } from './start-in-transaction.ts';
import { startedByKey } from './started-by-key.ts';

/** A caller's token for a start or a retry (Contract 4.4). */
export interface IdempotencyKey {
  userId: string;
  /** Path of the HTTP request. */
  path: string;
  key: string;
}

/**
 * `repeated`: the key was already used within 24 hours, and `id` is the execution that it started
 * then.
 */
export interface StartedOnce {
  id: ExecutionId;
  repeated: boolean;
}

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

export interface NewRetry {
  original: Execution;
  /** Projects in which the caller may start executions. */
  access: Access;
  graphHash: string;
  versionId: string | null;
  userId: string | null;
  /**
   * Which finished node runs the retry keeps: all that did not fail, except the runs of the listed
   * nodes and the uses of `subNodes` by a failed node run; or none. So a failed node runs again as
   * a whole, and an interrupted node gets the results of its finished uses.
   */
  keep: { except: readonly string[]; subNodes: readonly string[] } | 'none';
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
      if (!(id instanceof Error)) return withAuditNote(await this.#claimKey(tx, key, id));
      const first = id.code === 'QUEUE_FULL' ? await findStarted(tx, key) : undefined;
      if (first === undefined) throw id;
      return withAuditNote({ id: first, repeated: true });
    });
  }

  /** The execution that the key has started within 24 hours. Throws `ConflictError` if it has been deleted. */
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
        const claimed = await this.#claimKey(tx, key, id);
        if (claimed.repeated) return withAuditNote({ id: claimed.id, repeated: true });
      }
      await copyInput(tx, retry.original.id, id);
      await copyBinaries(tx, retry.original.id, id);
      if (retry.keep !== 'none') await copyNodeRuns(tx, retry.original.id, id, retry.keep);
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

  /**
   * Binds the key to `id`, or returns the execution that it was bound to; the caller then undoes
   * the rest of the transaction.
   */
  async #claimKey(tx: Transaction<Tables>, { userId, path, key }: IdempotencyKey, id: ExecutionId): Promise<StartedOnce> {
    const { rows } = await sql<{ execution_id: ExecutionId }>`
      INSERT INTO idempotency_keys AS k (user_id, path, key, execution_id) VALUES (${userId}, ${path}, ${key}, ${id})
      ON CONFLICT (user_id, path, key) DO UPDATE SET execution_id = excluded.execution_id, created_at = now()
        WHERE k.created_at < now() - interval '24 hours'
      RETURNING execution_id`.execute(tx);
    if (rows.length > 0) return { id, repeated: false };
    await tx.deleteFrom('executions').where('id', '=', id).execute();
    const first = await findStarted(tx, { userId, path, key });
    if (first === undefined) throw new Error('an idempotency key in use has no execution');
    return { id: first, repeated: true };
  }
}

/**
 * The execution that the key started within 24 hours. Throws `ConflictError` if it has been
 * deleted: it is not started again.
 */
async function findStarted(db: Kysely<Tables>, { userId, path, key }: IdempotencyKey): Promise<ExecutionId | undefined> {
  const row = await db
    .selectFrom('idempotency_keys as k')
    .leftJoin('executions as e', 'e.id', 'k.execution_id')
    .select(['k.execution_id', 'e.id as existing'])
    .where('k.user_id', '=', userId)
    .where('k.path', '=', path)
    .where('k.key', '=', key)
    .where('k.created_at', '>=', sql<Date>`now() - interval '24 hours'`)
    .executeTakeFirst();
  return row && startedByKey(row);
}

/** Adds the started execution to the audit line, which names the workflow. */
function withAuditNote<T extends StartedOnce>(started: T): T {
  noteForAudit({ details: { executionId: started.id } });
  return started;
}

/**
 * The original may have been deleted, or its workflow moved to another project, since the caller
 * read it.
 */
async function insertRetry(
  tx: Kysely<Tables>,
  { original, access, graphHash, versionId, userId }: NewRetry,
): Promise<Execution> {
  const { projectIds } = access;
  const mayStart = projectIds === 'all' ? sql`true` : sql`w.project_id = ${anyOf(projectIds)}`;
  const { rows } = await sql<Selectable<ExecutionTable>>`
    INSERT INTO executions (workflow_id, project_id, graph_hash, version_id, status, mode, user_id, retry_of,
      started_at, timeout_ms)
    SELECT w.id, w.project_id, g.hash, ${versionId}, 'running', 'retry', ${userId}, ${original.id}::bigint,
      now(), g.timeout_ms
    FROM executions o JOIN workflows w ON w.id = o.workflow_id JOIN workflow_graphs g ON g.workflow_id = w.id
    WHERE o.id = ${original.id} AND o.status = ANY (${[...retryableStatuses]}) AND g.hash = ${graphHash}
      AND ${mayStart}
    FOR SHARE OF o
    RETURNING *`.execute(tx);
  const [row] = rows;
  if (row) return toExecution(row);
  await getExecution(tx, original.id, access);
  throw new NotFoundError(`execution ${original.id} does not exist`);
}

async function copyInput(tx: Kysely<Tables>, from: ExecutionId, to: ExecutionId): Promise<void> {
  await sql`INSERT INTO execution_inputs (execution_id, data)
    SELECT ${to}::bigint, data FROM execution_inputs WHERE execution_id = ${from}`.execute(tx);
}

async function copyNodeRuns(
  tx: Kysely<Tables>,
  from: ExecutionId,
  to: ExecutionId,
  { except, subNodes }: Exclude<NewRetry['keep'], 'none'>,
): Promise<void> {
  const isSub = sql<boolean>`node_name = ANY (${[...subNodes]}::text[])`;
  // Uses are stored before the run of their node, and no other node runs in the meantime.
  await sql`
    WITH ended AS (
      SELECT seq, failed, coalesce(lag(seq) OVER (ORDER BY seq), -1) AS previous
      FROM node_runs WHERE execution_id = ${from} AND NOT ${isSub}
    )
    INSERT INTO node_runs (execution_id, seq, node_name, run_index, failed, data, start_time, execution_time)
    SELECT ${to}::bigint, row_number() OVER (ORDER BY seq) - 1, node_name, run_index, failed, data, start_time, execution_time
    FROM node_runs r
    WHERE execution_id = ${from} AND NOT failed AND node_name <> ALL (${[...except]}::text[])
      AND NOT (${isSub} AND EXISTS (SELECT FROM ended e WHERE e.failed AND r.seq > e.previous AND r.seq < e.seq))`.execute(tx);
}

/** Condition on unfinished executions. */
function cancelable(filter: CancelFilter, { projectIds }: Access) {
  const { statuses, workflowId, projectId, mode, startedAfter, startedBefore } = filter;
  const started = sql<Date>`coalesce(started_at, created_at)`;
  const conditions = [
    sql<boolean>`status = ${anyOf(statuses)}`,
    ...(projectIds === 'all' ? [] : [belongsTo(projectIds)]),
    ...(projectId === undefined ? [] : [belongsTo([projectId])]),
    ...(mode === undefined ? [] : [sql<boolean>`mode = ${mode}`]),
    ...(workflowId === undefined ? [] : [sql<boolean>`workflow_id = ${workflowId}`]),
    ...(startedAfter ? [sql<boolean>`${started} >= ${startedAfter}`] : []),
    ...(startedBefore ? [sql<boolean>`${started} <= ${startedBefore}`] : []),
  ];
  return sql<boolean>`${sql.join(conditions, sql` AND `)}`;
}
