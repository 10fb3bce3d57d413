import { type ExecutionId, sweepFound, type WorkerId } from '@sluice/domain';
import { sql } from 'kysely';
import type { Database } from '../connection/database.ts';
import type { AttemptRef } from '../executions/row/attempt-ref.ts';
import { timeoutError, workerLostError } from '../executions/row/execution.ts';
import type { WorkerPackage } from '../tables/worker-table.ts';

export interface WorkerRegistration {
  id: WorkerId;
  hostname: string;
  pid: number;
  concurrency: number;
  /** Release of the service. */
  version?: string;
  packages?: readonly WorkerPackage[];
}

/** How busy a worker is. */
export interface WorkerLoad {
  /** Executions in flight. */
  active: number;
  /** Maximum number of executions that it currently accepts. */
  capacity: number;
  memoryBytes: number;
  /** Null if no limit is set. */
  memoryLimitBytes: number | null;
  loopLagMs: number;
}

/** Shards of the queue; an execution is in the one whose number is its ID modulo their count. */
export interface Shards {
  count: number;
  numbers: readonly number[];
}

/** Number of unclaimed executions among which those of some shards are searched. */
const maxSearched = 5_000;

/**
 * Worker leases, and the sweeper's recovery of executions whose worker lost its lease. All times
 * are the database's. All workers may call every method concurrently and repeatedly.
 */
export class WorkerRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async register({ packages = [], ...worker }: WorkerRegistration, leaseMs: number): Promise<void> {
    await this.#db.kysely
      .insertInto('workers')
      .values({ ...worker, packages: JSON.stringify(packages), lease_expires_at: leaseEnd(leaseMs) })
      .execute();
  }

  /**
   * Extends the lease to `leaseMs` from now and resolves to the new expiry time. `undefined`:
   * another process has reaped the row, and this worker no longer owns any executions. An expired
   * lease that was not reaped is simply extended: the guards on the executions keep writes correct.
   * `load` is shown to operators.
   */
  async renew(id: WorkerId, leaseMs: number, load?: WorkerLoad): Promise<Date | undefined> {
    const renewed = await this.#db.kysely
      .updateTable('workers')
      .set({ lease_expires_at: leaseEnd(leaseMs), ...(load && loadColumns(load)) })
      .where('id', '=', id)
      .returning(sql<Date>`now()`.as('at'))
      .executeTakeFirst();
    return renewed?.at;
  }

  /**
   * Publishes the node types of installed packages that a live worker has. Executions whose graph
   * needs them are reserved for such workers, until a minute after the last such worker is gone.
   */
  async offerTypes(types: readonly string[]): Promise<void> {
    if (types.length === 0) return;
    await sql`INSERT INTO worker_types (types, seen_at) VALUES (${types}::text[], now())
      ON CONFLICT (types) DO UPDATE SET seen_at = excluded.seen_at`.execute(this.#db.kysely);
    await sql`DELETE FROM worker_types WHERE seen_at < now() - interval '1 hour'`.execute(this.#db.kysely);
  }

  /** The executions that this worker has claimed and not ended, according to the database. */
  async listClaimed(id: WorkerId): Promise<AttemptRef[]> {
    const rows = await this.#db.query<{ id: ExecutionId; attempt: number }>({
      name: 'list-claimed-executions',
      text: `SELECT id, attempt FROM executions WHERE status = 'running' AND worker_id = $1`,
      values: [id],
    });
    return rows.map((row) => ({ executionId: row.id, attempt: row.attempt }));
  }

  /**
   * For each attempt, in order, whether it is over because its execution ended, continues as
   * another attempt, or was deleted.
   */
  async areOver(refs: readonly AttemptRef[]): Promise<boolean[]> {
    const rows = await this.#db.query<{ id: ExecutionId; attempt: number }>({
      name: 'list-unfinished-attempts',
      text: `SELECT id, attempt FROM executions WHERE id = ANY ($1::bigint[]) AND status IN ('new', 'running', 'waiting')`,
      values: [refs.map(({ executionId }) => executionId)],
    });
    const unfinished = new Map(rows.map(({ id, attempt }) => [id, attempt]));
    return refs.map(({ executionId, attempt }) => unfinished.get(executionId) !== attempt);
  }

  /**
   * Ends attempts that this worker has claimed but does not run as `crashed`. Resolves to the ids
   * of the executions. An execution that has waited in the meantime may run here again, as a later
   * attempt.
   */
  async crashForgotten(id: WorkerId, refs: readonly AttemptRef[]): Promise<ExecutionId[]> {
    const [ids, attempts] = [refs.map(({ executionId }) => executionId), refs.map(({ attempt }) => attempt)];
    const { rows } = await sql<{ id: ExecutionId }>`
      UPDATE executions e SET status = 'crashed', stopped_at = clock_timestamp(), error = ${JSON.stringify(workerLostError)}::json
      FROM unnest(${ids}::bigint[], ${attempts}::int[]) AS f (id, attempt)
      WHERE e.id = f.id AND e.attempt = f.attempt AND e.status = 'running' AND e.worker_id = ${id}
      RETURNING e.id`.execute(this.#db.kysely);
    return rows.map((row) => row.id);
  }

  /** Deletes the lease at the end of a clean shutdown. */
  async release(id: WorkerId): Promise<void> {
    await this.#db.kysely.deleteFrom('workers').where('id', '=', id).execute();
  }

  /**
   * Ends executions of workers whose lease had expired by `lapsedBy` as `crashed`; at that time,
   * other workers were known to be able to renew. `now()` is not used: after a hang, Postgres runs
   * statements from before the hang, perhaps ahead of the renewals of live workers. Resolves to the
   * ids.
   */
  async reapDead(lapsedBy: Date): Promise<ExecutionId[]> {
    const { kysely } = this.#db;
    const lapsed = await kysely.deleteFrom('workers').where('lease_expires_at', '<', lapsedBy).executeTakeFirst();
    const count = Number(lapsed.numDeletedRows);
    if (count > 0) sweepFound.publish({ find: 'lease', count });
    // A second statement, with a later snapshot: it also reads executions that such a worker
    // claimed while its row was being deleted.
    const { rows } = await sql<{ id: ExecutionId }>`
      UPDATE executions SET status = 'crashed', stopped_at = clock_timestamp(), error = ${JSON.stringify(workerLostError)}::json
      WHERE id IN (SELECT id FROM executions e WHERE status = 'running' AND worker_id IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM workers w WHERE w.id = e.worker_id) ORDER BY id FOR UPDATE SKIP LOCKED)
      RETURNING id`.execute(kysely);
    return rows.map((row) => row.id);
  }

  /**
   * Ends executions that are `graceMs` past their deadline, which their worker failed to do.
   * Resolves to the ids.
   */
  async endOverdue(graceMs: number): Promise<ExecutionId[]> {
    const { rows } = await sql<{ id: ExecutionId }>`
      UPDATE executions SET status = 'error', stopped_at = clock_timestamp(), error = ${JSON.stringify(timeoutError)}::json
      WHERE id IN (SELECT id FROM executions WHERE status = 'running'
        AND deadline_at < now() - ${graceMs} * interval '1 millisecond' ORDER BY id FOR UPDATE SKIP LOCKED)
      RETURNING id`.execute(this.#db.kysely);
    return rows.map((row) => row.id);
  }

  /**
   * Unclaimed executions whose job was queued at least `olderThanMs` ago, in these shards of the
   * queue: their job may be lost. Marks at most `limit` of them as queued now, oldest first, so
   * that concurrent sweepers share the work. The caller enqueues them again. Searches the oldest
   * 5,000 only: older ones in other shards start first anyway.
   */
  async takeStranded(olderThanMs: number, limit: number, shards: Shards = { count: 1, numbers: [0] }): Promise<AttemptRef[]> {
    const isStranded = sql`status IN ('new', 'running') AND worker_id IS NULL
      AND queued_at < now() - ${olderThanMs} * interval '1 millisecond'`;
    const { rows } = await sql<{ id: ExecutionId; attempt: number }>`
      WITH oldest AS MATERIALIZED (SELECT id FROM executions WHERE ${isStranded} ORDER BY queued_at LIMIT ${maxSearched})
      UPDATE executions SET queued_at = now()
      WHERE id IN (SELECT id FROM executions WHERE id IN (SELECT id FROM oldest WHERE id % ${shards.count} = ANY (${shards.numbers}::bigint[]))
        AND ${isStranded} ORDER BY queued_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)
      RETURNING id, attempt`.execute(this.#db.kysely);
    return rows.map((row) => ({ executionId: row.id, attempt: row.attempt }));
  }
}

function loadColumns({ active, capacity, memoryBytes, memoryLimitBytes, loopLagMs }: WorkerLoad) {
  return {
    active,
    capacity,
    memory_bytes: String(memoryBytes),
    memory_limit_bytes: memoryLimitBytes === null ? null : String(memoryLimitBytes),
    loop_lag_ms: loopLagMs,
    reported_at: sql<Date>`now()`,
  };
}

function leaseEnd(leaseMs: number) {
  return sql<Date>`now() + ${leaseMs} * interval '1 millisecond'`;
}
