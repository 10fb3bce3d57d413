import { setTimeout as sleep } from 'node:timers/promises';
import type { AttemptRef, ExecutionRecorder } from '@sluice/db';
import { type Logger, logRejection } from '@sluice/logger';
import { packageOfType } from '@sluice/node-packages';
import { type ExecutionQueue, runExecution } from '@sluice/queue';
import QuickLRU from 'quick-lru';

export interface JobHandoverOptions {
  recorder: Pick<ExecutionRecorder, 'deferToOthers'>;
  queue: Pick<ExecutionQueue, 'enqueueAgain' | 'enqueueFor'>;
  /** The packages of node types that this worker has, and whose queues it reads. */
  packages: readonly string[];
  logger: Logger;
  /** Resolves after so many milliseconds, or once `signal` fires; default: by the clock. */
  pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** After what pause a job that is for other workers comes again, in milliseconds: it doubles. The sweeper would miss it after ten seconds. */
const shortestPauseMs = 250;
const longestPauseMs = 4_000;
/** How long a job is remembered that does not come again, in milliseconds. */
const rememberedMs = 60_000;
/** So many jobs are remembered in any case, and twice as many at most. One that is forgotten begins with the shortest pause again. */
const maxRemembered = 10_000;

/**
 * Hands jobs on that this worker cannot run, for want of a package of node types. How often a job has come in vain, each worker knows of
 * itself alone: one that has just started begins with short pauses.
 */
export class JobHandover {
  readonly #options: JobHandoverOptions;
  /** Job id → the pause before it came last, in milliseconds. */
  readonly #pauses = new QuickLRU<string, number>({ maxSize: maxRemembered, maxAge: rememberedMs });

  constructor(options: JobHandoverOptions) {
    this.#options = options;
  }

  /** Takes care of what could not be claimed. Resolves once it is known whether others wait for it; rejects when Postgres is away. */
  async leave(ref: AttemptRef, closing: AbortSignal): Promise<void> {
    const { recorder, logger } = this.#options;
    const left = await recorder.deferToOthers(ref);
    if (left) logRejection(logger, this.#handOn(ref, left.type, closing), 'cannot give an execution back');
    else this.#pauses.delete(runExecution.jobId(ref));
  }

  async #handOn(ref: AttemptRef, type: string | null, closing: AbortSignal): Promise<void> {
    const { queue, packages } = this.#options;
    const name = type === null ? undefined : packageOfType(type);
    if (name !== undefined && !packages.includes(name) && (await queue.enqueueFor(name, ref)))
      this.#pauses.delete(runExecution.jobId(ref));
    else await this.#giveBack(ref, closing);
  }

  /**
   * Where nobody reads the queue of the package, or we do, as with another version of it, the job goes round in the queue of all. Redis gives it to the worker
   * that has waited longest. We have only just begun to, so after the pause it is hardly us; a delayed job, for which all workers set their clocks, would come
   * to us again and again.
   */
  async #giveBack(ref: AttemptRef, closing: AbortSignal): Promise<void> {
    const { queue, pause = pauseByClock } = this.#options;
    await pause(this.#nextPause(runExecution.jobId(ref)), closing);
    await queue.enqueueAgain(ref);
  }

  #nextPause(jobId: string): number {
    const before = this.#pauses.get(jobId);
    const next = before === undefined ? shortestPauseMs : Math.min(before * 2, longestPauseMs);
    this.#pauses.set(jobId, next);
    return next;
  }
}

async function pauseByClock(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
}
