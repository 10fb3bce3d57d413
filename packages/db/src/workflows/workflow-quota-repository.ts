import type { WorkflowId } from '@sluice/domain';
import { type Kysely, sql } from 'kysely';
import QuickLRU from 'quick-lru';
import { isStatementTimeout } from '../connection/sql-errors.ts';
import { graphRowBytes } from '../executions/graphs/graph-repository.ts';
import { StorageQuotaError } from '../executions/storage/storage-quota-repository.ts';
import type { Tables } from '../tables/tables.ts';

interface WorkflowQuotaOptions {
  /** Maximum bytes that the workflows of a project take. */
  maxBytes: number;
  /**
   * Minimum age, in milliseconds, at which the bytes of a project are read again; default 5,000.
   */
  maxAgeMs?: number;
  /** Monotonic clock in milliseconds. */
  now?: () => number;
}

interface Usage {
  isFull: boolean;
  /** Whether the last read took longer than a statement may. */
  hasTimedOut: boolean;
  /** Time of the next read. */
  readAgainAt: number;
}

/** Workflows whose bytes one statement sums up. */
const pageSize = 50;
/** Maximum part of one connection's time that reads of a project take. */
const readShare = 1 / 50;
/** Milliseconds after which the bytes are read again at the latest. */
const longestRestMs = 600_000;
const maxProjects = 10_000;

/** Bytes of one value that Remove Duplicates has seen, including the indexes. */
const seenValueBytes = 300;

/**
 * Limits the bytes that a project's workflows store: all their versions, the graphs that were sent
 * with runs, static data, metadata, and the data that executions store for later ones
 * (conversations and seen values). While a project writes, its bytes are read in the background, at
 * most every few seconds. A write never waits for the sum, so a project may exceed its quota by the
 * data of these seconds.
 */
export class WorkflowQuotaRepository {
  readonly #db: Kysely<Tables>;
  readonly #options: Required<WorkflowQuotaOptions>;
  readonly #usage = new QuickLRU<string, Usage>({ maxSize: maxProjects });

  constructor(db: Kysely<Tables>, { maxBytes, maxAgeMs = 5_000, now = () => performance.now() }: WorkflowQuotaOptions) {
    this.#db = db;
    this.#options = { maxBytes, maxAgeMs, now };
  }

  /** Decides based on the last read. Throws `StorageQuotaError`. */
  assertCapacity(projectId: string): void {
    if (!this.isFull(projectId)) return;
    throw new StorageQuotaError(
      'the project has reached its storage quota for workflows, their versions, and the data that they store; delete workflows to free space',
    );
  }

  /** Whether `assertCapacity` would throw. */
  isFull(projectId: string): boolean {
    const usage = this.#usage.get(projectId) ?? { isFull: false, hasTimedOut: false, readAgainAt: Number.NEGATIVE_INFINITY };
    if (this.#options.now() >= usage.readAgainAt) {
      this.#usage.set(projectId, { ...usage, readAgainAt: Number.POSITIVE_INFINITY });
      void this.#refresh(projectId, usage);
    }
    return usage.isFull;
  }

  /**
   * Bytes that the workflows of a project take; at least the maximum once they have reached it.
   * Reads sizes only, never the content, and few workflows per statement, so that none takes too
   * long.
   */
  async bytesOf(projectId: string): Promise<number> {
    const workflows = await this.#db.selectFrom('workflows').select('id').where('project_id', '=', projectId).execute();
    let bytes = 0;
    for (let i = 0; i < workflows.length && bytes < this.#options.maxBytes; i += pageSize)
      bytes += await this.#sumUp(workflows.slice(i, i + pageSize).map(({ id }) => id));
    return bytes;
  }

  async #sumUp(workflowIds: readonly WorkflowId[]): Promise<number> {
    const { rows } = await sql<{ bytes: string }>`
      SELECT coalesce(sum(${graphRowBytes}::integer + coalesce(pg_column_size(w.static_data), 0) + coalesce(pg_column_size(w.meta), 0)
        + (SELECT coalesce(sum(g.bytes + ${graphRowBytes}::integer), 0) FROM workflow_graphs g WHERE g.workflow_id = w.id)
        + (SELECT coalesce(sum(s.size), 0) FROM chat_sessions s WHERE s.workflow_id = w.id)
        + ${seenValueBytes}::integer * (SELECT count(*) FROM seen_values v WHERE v.workflow_id = w.id)
        + ${seenValueBytes}::integer * (SELECT count(*) FROM seen_marks m WHERE m.workflow_id = w.id)), 0) AS bytes
      FROM workflows w WHERE w.id = ANY (${workflowIds}::text[])`.execute(this.#db);
    return Number(rows[0]?.bytes);
  }

  /**
   * While the database is unreachable, the last read remains in effect. A project whose bytes
   * cannot be summed up in time, twice in a row, is full: its data may grow without limit
   * otherwise.
   */
  async #refresh(projectId: string, before: Usage): Promise<void> {
    const { maxBytes, maxAgeMs, now } = this.#options;
    const startedAt = now();
    const usage = await this.bytesOf(projectId).then(
      (bytes) => ({ isFull: bytes >= maxBytes, hasTimedOut: false }),
      (error: unknown) => {
        const hasTimedOut = isStatementTimeout(error);
        return { isFull: before.isFull || (hasTimedOut && before.hasTimedOut), hasTimedOut };
      },
    );
    const endedAt = now();
    const restMs = Math.min(longestRestMs, (endedAt - startedAt) / readShare);
    this.#usage.set(projectId, { ...usage, readAgainAt: endedAt + Math.max(maxAgeMs, restMs) });
  }
}
