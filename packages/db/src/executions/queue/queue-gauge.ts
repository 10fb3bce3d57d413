import { AppError, RestingRead } from '@sluice/domain';
import type { Database } from '../../connection/database.ts';
import { isBlocked } from '../row/limits-of.ts';

/**
 * Milliseconds after which the count is repeated, if there have been starts or a project is full.
 */
const maxAgeMs = 1_000;
/**
 * Milliseconds after which a start waits for a new count: after a pause, starts of other processes
 * are unknown here.
 */
const staleAfterMs = 2_000;
/** Limits the share of time spent on counting to one part in this many. */
const restFactor = 20;

interface QueueGaugeOptions {
  /** Number of `new` executions by project; projects without any may be missing. */
  count(): Promise<ReadonlyMap<string, number>>;
  /** Maximum number of `new` executions per project. */
  max: number;
  /** Monotonic clock in milliseconds. */
  now?: () => number;
}

/**
 * Tracks which projects have reached their limit of executions waiting to start. This process adds
 * up its own starts; it queries the database when they reach the maximum, and otherwise about once
 * a second while there are starts, which do not wait for the query. So starts of other processes
 * within two seconds, or within 21 times the duration of a count if that is longer, may exceed the
 * maximum.
 */
export class QueueGauge {
  readonly #options: QueueGaugeOptions;
  #counted: ReadonlyMap<string, number> | undefined;
  /** This process's starts that the count may not include. */
  readonly #since = new Map<string, number>();
  #full: readonly string[] = [];
  /** Full according to that sum, although some of these executions may be running by now. */
  readonly #suspects = new Set<string>();
  readonly #counting: RestingRead;

  constructor(options: QueueGaugeOptions) {
    this.#options = options;
    this.#counting = new RestingRead({
      read: () => this.#count(),
      restFactor,
      now: options.now ?? (() => performance.now()),
    });
  }

  /** The projects with a full queue. Throws the errors of `count`. */
  async full(): Promise<readonly string[]> {
    const { ageMs, isResting } = this.#counting;
    const isOld = ageMs >= maxAgeMs;
    if (!isResting) {
      if (ageMs >= staleAfterMs || this.#suspects.size > 0 || (isOld && this.#full.length > 0)) await this.#recount();
      // the start itself will fail and report it
      else if (isOld) void this.#counting.repeat().catch(() => undefined);
    }
    return this.#suspects.size === 0 ? this.#full : [...this.#full, ...this.#suspects];
  }

  /** Records the project of an execution that this process started. */
  note(projectId: string): void {
    this.#since.set(projectId, (this.#since.get(projectId) ?? 0) + 1);
    this.#suspect(projectId);
  }

  #suspect(projectId: string): void {
    const queued = (this.#since.get(projectId) ?? 0) + (this.#counted?.get(projectId) ?? 0);
    if (queued >= this.#options.max && !this.#full.includes(projectId)) this.#suspects.add(projectId);
  }

  async #recount(): Promise<void> {
    await this.#counting.repeat();
    // That count may have been in flight, and may not include the starts that reached the maximum.
    if (this.#suspects.size > 0) await this.#counting.repeat();
  }

  async #count(): Promise<void> {
    const snapshot = new Map(this.#since);
    const queued = await this.#options.count();
    this.#counted = queued;
    this.#full = [...queued].filter(([, count]) => count >= this.#options.max).map(([projectId]) => projectId);
    for (const [projectId, starts] of snapshot) this.#forget(projectId, starts);
    this.#suspects.clear();
    for (const projectId of this.#since.keys()) this.#suspect(projectId);
  }

  #forget(projectId: string, starts: number): void {
    const remaining = (this.#since.get(projectId) ?? 0) - starts;
    if (remaining > 0) this.#since.set(projectId, remaining);
    else this.#since.delete(projectId);
  }
}

// Sub-executions that wait for their turn have `queued_at = infinity` and do not count. Executions
// that a limit blocks count, but are found by another index.
const text = `SELECT project_id, count(*)::int AS queued FROM (
  SELECT project_id FROM executions WHERE status = 'new' AND queued_at < 'infinity'
  UNION ALL SELECT project_id FROM executions b WHERE status = 'new' AND ${isBlocked('b')}
) AS waiting GROUP BY project_id`;

export function createQueueGauge(db: Database, max: number): QueueGauge {
  return new QueueGauge({
    max,
    async count() {
      const rows = await db.query<{ project_id: string; queued: number }>({ name: 'count-queued', text, values: [] });
      return new Map(rows.map(({ project_id, queued }) => [project_id, queued]));
    },
  });
}

export function queueFullError(projectId: string): AppError {
  return new AppError({
    code: 'QUEUE_FULL',
    message: `project ${projectId} has reached its limit of executions waiting to start`,
    kind: 'transient',
  });
}
