import type { ExecutionId, WorkerId } from '@sluice/domain';
import { sql } from 'kysely';
import type { Database } from '../database.ts';
import { timeoutError, workerLostError } from '../executions/execution.ts';
import type { AttemptRef } from '../executions/execution-recorder.ts';

export interface WorkerRegistration {
  id: WorkerId;
  hostname: string;
  pid: number;
  concurrency: number;
}

/**
 * Worker leases, and what the sweeper does for those who lost theirs. All time is the database's. Every method is safe to call
 * from all workers at once and to repeat.
 */
export class WorkerRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async register(worker: WorkerRegistration, leaseMs: number): Promise<void> {
    await this.#db.kysely
      .insertInto('workers')
      .values({ ...worker, lease_expires_at: leaseEnd(leaseMs) })
      .execute();
  }

  /**
   * Extends the lease by `leaseMs` from now; resolves to that instant. `undefined`: the row is gone, another process has reaped it, and
   * every execution this worker held is no longer its own. An expired lease that nobody reaped is simply extended: the guards on the
   * executions are what keeps writes right.
   */
  async renew(id: WorkerId, leaseMs: number): Promise<Date | undefined> {
    const renewed = await this.#db.kysely
      .updateTable('workers')
      .set({ lease_expires_at: leaseEnd(leaseMs) })
      .where('id', '=', id)
      .returning(sql<Date>`now()`.as('at'))
      .executeTakeFirst();
    return renewed?.at;
  }

  /**
   * Says which node types of installed packages a worker has, as long as it is there: executions whose graph needs them are left to such workers, for a
   * minute also after the last of them has gone.
   */
  async offerTypes(types: readonly string[]): Promise<void> {
    if (types.length === 0) return;
    await sql`INSERT INTO worker_types (types, seen_at) VALUES (${types}::text[], now())
      ON CONFLICT (types) DO UPDATE SET seen_at = excluded.seen_at`.execute(this.#db.kysely);
    await sql`DELETE FROM worker_types WHERE seen_at < now() - interval '1 hour'`.execute(this.#db.kysely);
  }

  /** What this worker has claimed and not ended, as the database knows it. */
  async listClaimed(id: WorkerId): Promise<AttemptRef[]> {
    const rows = await this.#db.query<{ id: ExecutionId; attempt: number }>({
      name: 'list-claimed-executions',
      text: `SELECT id, attempt FROM executions WHERE status = 'running' AND worker_id = $1`,
      values: [id],
    });
    return rows.map((row) => ({ executionId: row.id, attempt: row.attempt }));
  }

  /** Whether each attempt is over: its execution ended, continues as another attempt, or was deleted. In the order of the refs. */
  async areOver(refs: readonly AttemptRef[]): Promise<boolean[]> {
    const rows = await this.#db.query<{ id: ExecutionId; attempt: number }>({
      name: 'list-unfinished-attempts',
      text: `SELECT id, attempt FROM executions WHERE id = ANY ($1::bigint[]) AND status IN ('new', 'running', 'waiting')`,
      values: [refs.map(({ executionId }) => executionId)],
    });
    const unfinished = new Map(rows.map(({ id, attempt }) => [id, attempt]));
    return refs.map(({ executionId, attempt }) => unfinished.get(executionId) !== attempt);
  }

  /** Ends as `crashed` those that this worker has claimed but knows nothing of. Resolves to the ids of those that were so. */
  async crashForgotten(id: WorkerId, executionIds: readonly ExecutionId[]): Promise<ExecutionId[]> {
    const rows = await this.#db.kysely
      .updateTable('executions')
      .set({ status: 'crashed', stopped_at: sql`clock_timestamp()`, error: JSON.stringify(workerLostError) })
      .where('id', '=', sql<string>`any(${executionIds}::bigint[])`)
      .where('status', '=', 'running')
      .where('worker_id', '=', id)
      .returning('id')
      .execute();
    return rows.map((row) => row.id);
  }

  /** Gives the lease up, at the end of a clean shutdown. */
  async release(id: WorkerId): Promise<void> {
    await this.#db.kysely.deleteFrom('workers').where('id', '=', id).execute();
  }

  /**
   * Ends as `crashed` what workers held whose lease had lapsed by an instant: one at which the caller knew that the others could renew. Not by
   * `now()`: a Postgres that hung runs what it was sent before it hung, perhaps ahead of the renewals of the living. Resolves to the ids.
   */
  async reapDead(lapsedBy: Date): Promise<ExecutionId[]> {
    const { kysely } = this.#db;
    await kysely.deleteFrom('workers').where('lease_expires_at', '<', lapsedBy).execute();
    // A second statement, with a later snapshot: it also sees what such a worker claimed while its row was being deleted.
    const { rows } = await sql<{ id: ExecutionId }>`
      UPDATE executions SET status = 'crashed', stopped_at = clock_timestamp(), error = ${JSON.stringify(workerLostError)}::json
      WHERE id IN (SELECT id FROM executions e WHERE status = 'running' AND worker_id IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM workers w WHERE w.id = e.worker_id) ORDER BY id FOR UPDATE SKIP LOCKED)
      RETURNING id`.execute(kysely);
    return rows.map((row) => row.id);
  }

  /** Ends what is `graceMs` past its deadline: its worker should have done so itself. Resolves to the ids. */
  async endOverdue(graceMs: number): Promise<ExecutionId[]> {
    const { rows } = await sql<{ id: ExecutionId }>`
      UPDATE executions SET status = 'error', stopped_at = clock_timestamp(), error = ${JSON.stringify(timeoutError)}::json
      WHERE id IN (SELECT id FROM executions WHERE status = 'running'
        AND deadline_at < now() - ${graceMs} * interval '1 millisecond' ORDER BY id FOR UPDATE SKIP LOCKED)
      RETURNING id`.execute(this.#db.kysely);
    return rows.map((row) => row.id);
  }

  /** How many started executions, claimed or not, should have a job since `olderThanMs` at least; counts up to `limit`. */
  async countStarted(olderThanMs: number, limit: number): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      SELECT count(*)::int AS count FROM (SELECT FROM executions WHERE status IN ('new', 'running')
        AND queued_at < now() - ${olderThanMs} * interval '1 millisecond' LIMIT ${limit}) AS started`.execute(this.#db.kysely);
    return rows[0]?.count ?? 0;
  }

  /**
   * Unclaimed executions whose job was queued at least `olderThanMs` ago: their job may be lost. Marks them as queued now, oldest
   * first, at most `limit`, so that the processes that sweep at once share the work. The caller enqueues them (again): job ids are
   * deterministic, so a job that is still there stays alone.
   */
  async takeStranded(olderThanMs: number, limit: number): Promise<AttemptRef[]> {
    const { rows } = await sql<{ id: ExecutionId; attempt: number }>`
      UPDATE executions SET queued_at = now()
      WHERE id IN (SELECT id FROM executions WHERE status IN ('new', 'running') AND worker_id IS NULL
        AND queued_at < now() - ${olderThanMs} * interval '1 millisecond'
        ORDER BY queued_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)
      RETURNING id, attempt`.execute(this.#db.kysely);
    return rows.map((row) => ({ executionId: row.id, attempt: row.attempt }));
  }
}

function leaseEnd(leaseMs: number) {
  return sql<Date>`now() + ${leaseMs} * interval '1 millisecond'`;
}
