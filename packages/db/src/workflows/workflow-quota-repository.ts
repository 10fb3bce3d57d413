import { type Kysely, sql } from 'kysely';
import QuickLRU from 'quick-lru';
import { graphRowBytes } from '../executions/graphs/graph-repository.ts';
import { StorageQuotaError } from '../executions/storage/storage-quota-repository.ts';
import type { Tables } from '../tables/tables.ts';

interface WorkflowQuotaOptions {
  /** Maximum bytes that the workflows of a project take. */
  maxBytes: number;
  /** Minimum age, in milliseconds, at which the bytes of a project are read again; default 5,000. */
  maxAgeMs?: number;
  /** Monotonic clock in milliseconds. */
  now?: () => number;
}

interface Usage {
  isFull: boolean;
  /** Time of the next read. */
  readAgainAt: number;
}

/** Maximum part of one connection's time that reads of a project take. */
const readShare = 1 / 50;
const maxProjects = 10_000;

/** Bytes of one value that Remove Duplicates has seen, including the indexes. */
const seenValueBytes = 300;

/**
 * Limits the bytes that a project's workflows store: all their versions, the graphs that were sent with
 * runs, static data, metadata, and the data that executions store for later ones (conversations and seen
 * values). While a project writes, its bytes are read in the background, at most every few seconds. A
 * write never waits for the sum, so a project may exceed its quota by the data of these seconds.
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
  assertRoom(projectId: string): void {
    if (!this.isFull(projectId)) return;
    throw new StorageQuotaError(
      'the project has reached its storage quota for workflows, their versions, and the data that they store; delete workflows to free space',
    );
  }

  /** Whether `assertRoom` would throw. */
  isFull(projectId: string): boolean {
    const { isFull = false, readAgainAt = Number.NEGATIVE_INFINITY } = this.#usage.get(projectId) ?? {};
    if (this.#options.now() >= readAgainAt) {
      this.#usage.set(projectId, { isFull, readAgainAt: Number.POSITIVE_INFINITY });
      void this.#refresh(projectId, isFull);
    }
    return isFull;
  }

  /** Bytes that the workflows of a project take. Reads sizes only, never the content. */
  async bytesOf(projectId: string): Promise<number> {
    const { rows } = await sql<{ bytes: string }>`
      SELECT coalesce(sum(${graphRowBytes}::integer + coalesce(pg_column_size(w.static_data), 0) + coalesce(pg_column_size(w.meta), 0)
        + (SELECT coalesce(sum(g.bytes + ${graphRowBytes}::integer), 0) FROM workflow_graphs g WHERE g.workflow_id = w.id)
        + (SELECT coalesce(sum(s.size), 0) FROM chat_sessions s WHERE s.workflow_id = w.id)
        + ${seenValueBytes}::integer * (SELECT count(*) FROM seen_values v WHERE v.workflow_id = w.id)
        + ${seenValueBytes}::integer * (SELECT count(*) FROM seen_marks m WHERE m.workflow_id = w.id)), 0) AS bytes
      FROM workflows w WHERE w.project_id = ${projectId}`.execute(this.#db);
    return Number(rows[0]?.bytes);
  }

  /** While the database is unreachable, the last read remains in effect. */
  async #refresh(projectId: string, wasFull: boolean): Promise<void> {
    const { maxBytes, maxAgeMs, now } = this.#options;
    const startedAt = now();
    const isFull = await this.bytesOf(projectId).then(
      (bytes) => bytes >= maxBytes,
      () => wasFull,
    );
    const endedAt = now();
    this.#usage.set(projectId, { isFull, readAgainAt: endedAt + Math.max(maxAgeMs, (endedAt - startedAt) / readShare) });
  }
}
