import type { AttemptRef, Claim, ExecutionRecorder } from '@sluice/db';
import { pause, untilAvailable } from '@sluice/domain';
import { type Logger, logRejection } from '@sluice/logger';
import { packageOfType } from '@sluice/node-packages';
import { type ExecutionQueue, runExecution } from '@sluice/queue';
import QuickLRU from 'quick-lru';

export interface JobHandoverOptions {
  recorder: Pick<ExecutionRecorder, 'deferToOthers' | 'handBack'>;
  queue: Pick<ExecutionQueue, 'enqueueAgain' | 'enqueueFor' | 'returnToHead'>;
  /** The packages of node types that this worker has and whose queues it reads. */
  packages: readonly string[];
  logger: Logger;
  /** Resolves after this many milliseconds, or once `signal` fires; default: a timer. */
  pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/**
 * First pause before a job for other workers is delivered again, in milliseconds; it doubles each
 * time. The sweeper would report the job lost after ten seconds.
 */
const shortestPauseMs = 250;
const longestPauseMs = 4_000;
/** How long a job that does not return is remembered, in milliseconds. */
const rememberedMs = 60_000;
/**
 * At least this many jobs are remembered, and at most twice as many. A forgotten job starts with
 * the shortest pause again.
 */
const maxRemembered = 10_000;

/**
 * Passes on executions that this worker cannot run because it closes, or lacks a package of node
 * types. Each worker counts its own failed deliveries of a job, so a new worker starts with short
 * pauses.
 */
export class JobHandover {
  readonly #options: JobHandoverOptions;
  /** Job id → its last pause in milliseconds. */
  readonly #pauses = new QuickLRU<string, number>({ maxSize: maxRemembered, maxAge: rememberedMs });

  constructor(options: JobHandoverOptions) {
    this.#options = options;
  }

  /**
   * Handles an execution that could not be claimed. Resolves once it is known whether it waits for
   * other workers. Waits while Postgres is unreachable, unless the worker closes.
   */
  async handOver(ref: AttemptRef, closing: AbortSignal): Promise<void> {
    const { recorder, logger } = this.#options;
    const deferred = await untilAvailable(() => recorder.deferToOthers(ref), closing);
    if (deferred) logRejection(logger, this.#handOn(ref, deferred.type, closing), 'cannot return an execution to the queue');
    else this.#pauses.delete(runExecution.jobId(ref));
  }

  /**
   * Undoes a claim, if there is one, so that another worker runs the execution next. `wasRunning`:
   * as in `HandBack`. Resolves to whether it was undone.
   */
  async handBack({ executionId, attempt, unclaimedSince }: Claim, { wasRunning = false } = {}): Promise<boolean> {
    const { recorder, queue } = this.#options;
    const ref = { executionId, attempt };
    if (unclaimedSince === undefined && !(await recorder.handBack({ ...ref, wasRunning }))) return false;
    await queue.returnToHead(runExecution.queue, [ref]);
    return true;
  }

  async #handOn(ref: AttemptRef, type: string | null, closing: AbortSignal): Promise<void> {
    const { queue, packages } = this.#options;
    const name = type === null ? undefined : packageOfType(type);
    if (name !== undefined && !packages.includes(name) && (await queue.enqueueFor(name, ref)))
      this.#pauses.delete(runExecution.jobId(ref));
    else await this.#returnJob(ref, closing);
  }

  /**
   * If no other worker reads the package's queue (this worker may have another version of the
   * package), the job returns to the main queue after a pause. Redis delivers it to the worker that
   * has waited longest, which is rarely this one, because it has only just started to wait. A
   * delayed job, for which all workers set their timers, would be delivered to this worker again
   * and again.
   */
  async #returnJob(ref: AttemptRef, closing: AbortSignal): Promise<void> {
    const { queue, pause: rest = pause } = this.#options;
    await rest(this.#nextPause(runExecution.jobId(ref)), closing);
    await queue.enqueueAgain(ref);
  }

  #nextPause(jobId: string): number {
    const before = this.#pauses.get(jobId);
    const next = before === undefined ? shortestPauseMs : Math.min(before * 2, longestPauseMs);
    this.#pauses.set(jobId, next);
    return next;
  }
}
