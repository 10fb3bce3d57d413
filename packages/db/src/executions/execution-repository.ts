import { type ExecutionId, type ExecutionStatus, ForbiddenError, isExecutionId, NotFoundError } from '@sluice/domain';
import { CompiledQuery, type Kysely, sql, type Transaction } from 'kysely';
import { type Access, anyOf } from '../access.ts';
import type { Database } from '../database.ts';
import type { Tables } from '../tables/tables.ts';
import { type Execution, toExecution } from './execution.ts';
import { type InsertedRow, insertExecutions, insertedId, type NewExecution } from './insert-executions.ts';

/** A caller's token for a start or a retry (decision 4.4). */
export interface IdempotencyKey {
  userId: string;
  /** Path of the request. */
  path: string;
  key: string;
}

/** `repeated`: the key was used within 24 hours; this is the execution it started then. */
export interface StartedOnce {
  id: ExecutionId;
  repeated: boolean;
}

export interface CancelFilter {
  /** Absent: all workflows. */
  workflowId?: string;
  statuses: readonly Extract<ExecutionStatus, 'new' | 'running' | 'waiting'>[];
  startedAfter?: Date;
  startedBefore?: Date;
}

export interface NewRetry {
  original: Execution;
  graphHash: string;
  versionId: string | null;
  userId: string | null;
  /** Which finished node runs the retry takes over: all that did not fail, but for those of these nodes; or none. */
  keep: { except: readonly string[] } | 'none';
}

export interface CanceledExecution {
  id: ExecutionId;
  stoppedAt: Date;
}

/** Lookups and writes of the API by meaning. Every read carries the caller's `Access`. */
export class ExecutionRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Throws `NotFoundError`, or `ForbiddenError` for one in a project outside `access`. */
  async get(id: ExecutionId, access: Access): Promise<Execution> {
    const row = isExecutionId(id)
      ? await this.#db.kysely.selectFrom('executions').selectAll().where('id', '=', id).executeTakeFirst()
      : undefined;
    if (!row) throw new NotFoundError(`execution ${id} does not exist`);
    if (!access.includes(row.project_id)) throw new ForbiddenError(`execution ${id} is not accessible`);
    return toExecution(row);
  }

  /** Inserts as `new` unless the key has started one within 24 hours. */
  async startOnce(execution: NewExecution, key: IdempotencyKey): Promise<StartedOnce> {
    return this.#db.kysely.transaction().execute(async (tx) => {
      const { rows } = await tx.executeQuery<InsertedRow>(compile(insertExecutions([execution])));
      const id = insertedId(rows[0], execution);
      if (id instanceof Error) throw id;
      return this.#claimKey(tx, key, id);
    });
  }

  /**
   * Inserts a retry: `running` and started, but claimed by nobody yet (decision 4.6). The original's input and the kept node
   * runs are copied within the database, so that the retry needs nothing of the original later.
   */
  async retry(retry: NewRetry, key?: IdempotencyKey): Promise<StartedOnce> {
    return this.#db.kysely.transaction().execute(async (tx) => {
      const id = await insertRetry(tx, retry);
      if (key) {
        const claimed = await this.#claimKey(tx, key, id);
        if (claimed.repeated) return claimed;
      }
      await copyInput(tx, retry.original.id, id);
      if (retry.keep !== 'none') await copyNodeRuns(tx, retry.original.id, id, retry.keep.except);
      return { id, repeated: false };
    });
  }

  /** Moves one unfinished execution to `canceled`; `undefined` when it had already ended. */
  async cancel(id: ExecutionId): Promise<CanceledExecution | undefined> {
    const row = await this.#db.kysely
      .updateTable('executions')
      .set({ status: 'canceled', stopped_at: sql`clock_timestamp()` })
      .where('id', '=', id)
      .where('status', 'in', ['new', 'running', 'waiting'])
      .returning(['id', 'stopped_at'])
      .executeTakeFirst();
    return row && { id: row.id, stoppedAt: row.stopped_at as Date };
  }

  /** Moves all matching ones to `canceled` in one statement; resolves to their ids. */
  async cancelMany(filter: CancelFilter, access: Access): Promise<ExecutionId[]> {
    const began = sql<Date>`coalesce(started_at, created_at)`;
    const { kysely } = this.#db;
    let matching = kysely
      .selectFrom('executions')
      .select('id')
      .where('status', 'in', [...filter.statuses])
      .orderBy('id')
      .forUpdate();
    if (access.projectIds !== 'all') matching = matching.where('project_id', '=', anyOf(access.projectIds));
    if (filter.workflowId !== undefined) matching = matching.where('workflow_id', '=', filter.workflowId);
    if (filter.startedAfter) matching = matching.where(began, '>=', filter.startedAfter);
    if (filter.startedBefore) matching = matching.where(began, '<=', filter.startedBefore);
    const rows = await kysely
      .updateTable('executions')
      .set({ status: 'canceled', stopped_at: sql`clock_timestamp()` })
      .where('id', 'in', matching)
      .returning('id')
      .execute();
    return rows.map((row) => row.id);
  }

  /**
   * Deletes executions with all that belongs to them; ids that do not exist are skipped. `check` sees every one of them, locked,
   * and throws to delete none.
   */
  async deleteMany(ids: readonly ExecutionId[], check: (found: readonly Execution[]) => void): Promise<void> {
    const existing = ids.filter(isExecutionId);
    if (existing.length === 0) return;
    await this.#db.kysely.transaction().execute(async (tx) => {
      const byIds = tx.selectFrom('executions').selectAll().where('id', '=', sql<string>`any(${existing}::bigint[])`);
      const rows = await byIds.orderBy('id').forUpdate().execute();
      check(rows.map(toExecution));
      await tx.deleteFrom('executions').where('id', '=', sql<string>`any(${existing}::bigint[])`).execute();
    });
  }

  /** Binds the key to `id`, or finds what it was bound to; then everything else in the transaction has to be undone. */
  async #claimKey(tx: Transaction<Tables>, { userId, path, key }: IdempotencyKey, id: ExecutionId): Promise<StartedOnce> {
    const { rows } = await sql<{ execution_id: ExecutionId }>`
      INSERT INTO idempotency_keys AS k (user_id, path, key, execution_id) VALUES (${userId}, ${path}, ${key}, ${id})
      ON CONFLICT (user_id, path, key) DO UPDATE SET execution_id = excluded.execution_id, created_at = now()
        WHERE k.created_at < now() - interval '24 hours'
      RETURNING execution_id`.execute(tx);
    if (rows.length > 0) return { id, repeated: false };
    await tx.deleteFrom('executions').where('id', '=', id).execute();
    const first = await tx
      .selectFrom('idempotency_keys')
      .select('execution_id')
      .where('user_id', '=', userId)
      .where('path', '=', path)
      .where('key', '=', key)
      .executeTakeFirstOrThrow();
    return { id: first.execution_id, repeated: true };
  }
}

function compile({ text, values }: { text: string; values: unknown[] }): CompiledQuery<InsertedRow> {
  return CompiledQuery.raw(text, values) as CompiledQuery<InsertedRow>;
}

async function insertRetry(tx: Kysely<Tables>, { original, graphHash, versionId, userId }: NewRetry): Promise<ExecutionId> {
  const { rows } = await sql<{ id: ExecutionId }>`
    INSERT INTO executions (workflow_id, project_id, graph_hash, version_id, status, mode, user_id, retry_of,
      started_at, timeout_ms, deadline_at)
    SELECT w.id, w.project_id, g.hash, ${versionId}, 'running', 'retry', ${userId}, ${original.id}::bigint,
      now(), g.timeout_ms, now() + g.timeout_ms * interval '1 millisecond'
    FROM workflows w JOIN workflow_graphs g ON g.workflow_id = w.id
    WHERE w.id = ${original.workflowId} AND g.hash = ${graphHash}
    RETURNING id`.execute(tx);
  const [row] = rows;
  if (!row) throw new NotFoundError(`workflow ${original.workflowId} does not exist`);
  return row.id;
}

async function copyInput(tx: Kysely<Tables>, from: ExecutionId, to: ExecutionId): Promise<void> {
  await sql`INSERT INTO execution_inputs (execution_id, data)
    SELECT ${to}::bigint, data FROM execution_inputs WHERE execution_id = ${from}`.execute(tx);
}

async function copyNodeRuns(tx: Kysely<Tables>, from: ExecutionId, to: ExecutionId, except: readonly string[]): Promise<void> {
  await sql`INSERT INTO node_runs (execution_id, seq, node_name, run_index, failed, data)
    SELECT ${to}::bigint, row_number() OVER (ORDER BY seq) - 1, node_name, run_index, failed, data FROM node_runs
    WHERE execution_id = ${from} AND NOT failed AND node_name <> ALL (${[...except]}::text[])`.execute(tx);
}
