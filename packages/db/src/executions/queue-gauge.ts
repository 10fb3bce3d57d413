import { AppError, RestingRead } from '@sluice/domain';
import type { Database } from '../database.ts';
import { isBlocked } from './limits-of.ts';

/**
 * Milliseconds after which the count is repeated, if there have been starts or a project is full.
 */
const maxAgeMs = 1_000;
/** A count may take at most one part in this many of the time. */
const restFactor = 20;

export interface QueueGaugeOptions {
  /** How many executions are `new`, by project; projects without any may be missing. */
  count(): Promise<ReadonlyMap<string, number>>;
  /** Maximum number of `new` executions per project. */
  max: number;
  /** Monotonic clock in milliseconds. */
  now?: () => number;
}

/**
 * Knows which projects have reached their limit of executions waiting to start. This process adds
 * up its own starts; it queries the database when they reach the maximum, and otherwise at most
 * once a second while there are starts. So starts cost nothing here, and starts of other processes
 * within a second may exceed the maximum.
 */
export class QueueGauge {
  readonly #options: QueueGaugeOptions;
  #counted: ReadonlyMap<string, number> | undefined;
  /** Starts of this process since that count started. */
  #since = new Map<string, number>();
  #full: readonly string[] = [];
  /** Full by that sum, though some of these executions may have started running meanwhile. */
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
    const old = this.#counting.ageMs >= maxAgeMs;
    if (!this.#counting.isResting) {
      if (!this.#counted || this.#suspects.size > 0 || (old && this.#full.length > 0)) await this.#counting.repeat();
      // the start itself will fail and report it
      else if (old && this.#since.size > 0) void this.#counting.repeat().catch(() => undefined);
    }
    return this.#suspects.size === 0 ? this.#full : [...this.#full, ...this.#suspects];
  }

  /** Records the project of an execution that this process started. */
  note(projectId: string): void {
    const since = (this.#since.get(projectId) ?? 0) + 1;
    this.#since.set(projectId, since);
    const queued = since + (this.#counted?.get(projectId) ?? 0);
    if (queued >= this.#options.max && !this.#full.includes(projectId)) this.#suspects.add(projectId);
  }

  async #count(): Promise<void> {
    this.#since = new Map();
    const queued = await this.#options.count();
    this.#counted = queued;
    this.#full = [...queued].filter(([, count]) => count >= this.#options.max).map(([projectId]) => projectId);
    this.#suspects.clear();
  }
}

// Sub-executions that wait for their turn have `queued_at = infinity` and do not count. Executions
// that a limit blocks count; another index finds them.
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
    message: `project ${projectId} has as many executions waiting to start as it may have`,
    kind: 'transient',
  });
}
