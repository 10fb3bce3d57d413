import { type Kysely, sql } from 'kysely';
import type { Access } from '../access.ts';
import { isQueued } from '../executions/queue/queued-execution-repository.ts';
import { isBlocked } from '../executions/row/limits-of.ts';
import { belongsTo } from '../executions/row/owning-project.ts';
import { constantSql } from '../statements/compiled.ts';
import type { Tables } from '../tables/tables.ts';
import type { WorkerPackage } from '../tables/worker-table.ts';

/**
 * A worker that has a lease. Null for a worker of an older version, or one that has not reported
 * yet.
 */
export interface LiveWorker {
  id: string;
  hostname: string;
  pid: number;
  version: string | null;
  packages: WorkerPackage[];
  /** Maximum number of executions in flight. */
  concurrency: number;
  capacity: number | null;
  active: number | null;
  memoryBytes: number | null;
  memoryLimitBytes: number | null;
  loopLagMs: number | null;
  startedAt: Date;
  reportedAt: Date | null;
  leaseExpiresAt: Date;
  /** Milliseconds until the lease expires, by the database's clock; negative if it has expired. */
  leaseRemainingMs: number;
}

interface QueueSummary {
  /** Executions that wait for a worker, up to `maxCounted`. */
  queued: number;
  oldestQueuedAt: Date | null;
  /** Executions that wait for a limit, up to `maxCounted`. */
  blocked: number;
  /** Projects with the most queued executions. */
  projects: { projectId: string; projectName: string; queued: number; oldestQueuedAt: Date }[];
}

/** Maximum count. */
const maxCounted = 100_000;
const listedProjects = 20;

/** The read models of `GET /workers` and `GET /queue`. */
export class WorkerListRepository {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /** The longest running first. */
  async listLive(): Promise<LiveWorker[]> {
    const rows = await this.#db
      .selectFrom('workers')
      .selectAll()
      .select(
        sql<number>`round(extract(epoch FROM lease_expires_at - clock_timestamp()) * 1000)::double precision`.as(
          'remaining_ms',
        ),
      )
      .orderBy('started_at')
      .orderBy('id')
      .execute();
    return rows.map((row) => ({
      id: row.id,
      hostname: row.hostname,
      pid: row.pid,
      version: row.version,
      packages: row.packages,
      concurrency: row.concurrency,
      capacity: row.capacity,
      active: row.active,
      memoryBytes: row.memory_bytes === null ? null : Number(row.memory_bytes),
      memoryLimitBytes: row.memory_limit_bytes === null ? null : Number(row.memory_limit_bytes),
      loopLagMs: row.loop_lag_ms,
      startedAt: row.started_at,
      reportedAt: row.reported_at,
      leaseExpiresAt: row.lease_expires_at,
      leaseRemainingMs: row.remaining_ms,
    }));
  }

  /** Reads the queues of the caller’s projects. */
  async readQueue({ projectIds }: Access): Promise<QueueSummary> {
    const inProjects = belongsTo(projectIds, 'e');
    const [{ rows: projects }, { rows: blocked }] = await Promise.all([
      sql<QueueSummary['projects'][number]>`
        SELECT p.id AS "projectId", p.name AS "projectName", q.queued, q.oldest AS "oldestQueuedAt" FROM (
          SELECT few.project_id, count(*)::int AS queued, min(few.queued_at) AS oldest FROM (
            SELECT e.project_id, e.queued_at FROM executions e WHERE ${constantSql(isQueued('e'))} AND ${inProjects} LIMIT ${maxCounted}) AS few
          GROUP BY 1) AS q JOIN projects p ON p.id = q.project_id ORDER BY q.queued DESC, p.id`.execute(this.#db),
      sql<{ n: number }>`SELECT count(*)::int AS n FROM (
        SELECT FROM executions e WHERE ${constantSql(isBlocked('e'))} AND ${inProjects} LIMIT ${maxCounted}) AS few`.execute(
        this.#db,
      ),
    ]);
    const oldest = projects.map(({ oldestQueuedAt }) => oldestQueuedAt.getTime());
    return {
      queued: projects.reduce((sum, { queued }) => sum + queued, 0),
      oldestQueuedAt: oldest.length > 0 ? new Date(Math.min(...oldest)) : null,
      blocked: blocked[0]?.n ?? 0,
      projects: projects.slice(0, listedProjects),
    };
  }
}
