import { AppError, type WorkflowId } from '@sluice/domain';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../tables/tables.ts';

export class StorageQuotaError extends AppError {
  constructor(
    message = 'the project has reached its storage quota for the data and files of executions; delete executions to free space',
  ) {
    super({ code: 'STORAGE_QUOTA_EXCEEDED', message });
  }
}

interface StorageQuotaOptions {
  /** Maximum bytes that the executions of a project may store. */
  maxBytes: number;
  /**
   * Milliseconds after which the list of projects over their quota is read again; default 5,000.
   */
  maxAgeMs?: number;
  /** Monotonic clock in milliseconds. */
  now?: () => number;
}

/** Number of changes summed up by one statement. */
const batch = 5_000;

/**
 * Tracks which projects have used up their storage quota. Triggers of `executions` record additions
 * and deletions; the sweepers sum them up. While there are requests, each process reads the
 * projects over their quota (mostly none) every few seconds, so checks cost nothing, and a project
 * may exceed its quota by what it stores in that time.
 */
export class StorageQuotaRepository {
  readonly #db: Kysely<Tables>;
  readonly #options: Required<StorageQuotaOptions>;
  #full: ReadonlySet<string> = new Set();
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;

  constructor(db: Kysely<Tables>, { maxBytes, maxAgeMs = 5_000, now = () => performance.now() }: StorageQuotaOptions) {
    this.#db = db;
    this.#options = { maxBytes, maxAgeMs, now };
  }

  /** Decides based on the last read. Throws `StorageQuotaError`. */
  assertCapacity(projectId: string): void {
    this.#refresh();
    if (this.#full.has(projectId)) throw new StorageQuotaError();
  }

  /**
   * The same for the project of a workflow, which is looked up only while some project is over its
   * quota.
   */
  async assertCapacityFor(workflowId: WorkflowId): Promise<void> {
    this.#refresh();
    if (this.#full.size === 0) return;
    const workflow = await this.#db
      .selectFrom('workflows')
      .select('project_id')
      .where('id', '=', workflowId)
      .executeTakeFirst();
    if (workflow) this.assertCapacity(workflow.project_id);
  }

  /**
   * Sums up a batch of changes; processes may do so concurrently. Resolves to whether there may be
   * more.
   */
  async addUp(): Promise<boolean> {
    const { rows } = await sql<{ count: number }>`
      WITH taken AS (
        DELETE FROM project_usage_changes WHERE seq IN (
          SELECT seq FROM project_usage_changes ORDER BY seq LIMIT ${batch} FOR UPDATE SKIP LOCKED)
        RETURNING project_id, bytes
      ), added AS (
        INSERT INTO project_usage (project_id, bytes) SELECT project_id, sum(bytes) FROM taken GROUP BY project_id ORDER BY project_id
        ON CONFLICT (project_id) DO UPDATE SET bytes = project_usage.bytes + excluded.bytes
      )
      SELECT count(*)::int AS count FROM taken`.execute(this.#db);
    return rows[0]?.count === batch;
  }

  /** Reads the projects that are over their quota now. */
  async read(): Promise<void> {
    const { maxBytes, now } = this.#options;
    const { rows } = await sql<{ project_id: string }>`
      SELECT project_id FROM (SELECT project_id, bytes FROM project_usage UNION ALL SELECT project_id, bytes FROM project_usage_changes) AS u
      GROUP BY project_id HAVING sum(bytes) >= ${maxBytes}`.execute(this.#db);
    this.#full = new Set(rows.map((row) => row.project_id));
    this.#readAt = now();
  }

  /**
   * Reads in the background. While the database is unreachable, the last read remains in effect.
   */
  #refresh(): void {
    const { maxAgeMs, now } = this.#options;
    if (this.#reading || now() - this.#readAt < maxAgeMs) return;
    this.#reading = this.read()
      .catch(() => undefined)
      .finally(() => {
        this.#reading = undefined;
      });
  }
}
