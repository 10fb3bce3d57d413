import { errorMessage } from '@sluice/domain';
import type { Logger } from '@sluice/logger';

export interface ExecutionSlotsOptions {
  /** Maximum number of unacknowledged jobs that the queue delivers. */
  deliveries: number;
  /** Number of executions that may run at once now. */
  limit: () => number;
  logger: Logger;
}

/**
 * Runs executions beyond their jobs. A job is acknowledged once its execution is claimed, because
 * from then on Postgres says who runs it. While no further execution may run, jobs stay
 * unacknowledged, and the queue delivers no more.
 */
export class ExecutionSlots {
  readonly #options: ExecutionSlotsOptions;
  readonly #running = new Set<Promise<void>>();
  readonly #acknowledgements: (() => void)[] = [];
  #unacknowledged = 0;
  #isClosing = false;

  constructor(options: ExecutionSlotsOptions) {
    this.#options = options;
  }

  get running(): number {
    return this.#running.size;
  }

  /**
   * Starts a run, which calls `claimed` once its execution is claimed. Resolves when the job may be
   * acknowledged; rejects if the run fails before the claim.
   */
  async take(start: (claimed: () => void) => Promise<void>): Promise<void> {
    this.#unacknowledged += 1;
    const { promise: isClaimed, resolve: claimed } = Promise.withResolvers<void>();
    const run = this.#tracked(start(claimed));
    try {
      await Promise.race([isClaimed, run]);
    } catch (error) {
      this.#unacknowledged -= 1;
      throw error;
    }
    run.catch((error: unknown) => this.#options.logger.warn({ error: errorMessage(error) }, 'execution abandoned'));
    await new Promise<void>((resolve) => {
      this.#acknowledgements.push(resolve);
      this.refresh();
    });
  }

  /** Acknowledges the jobs for which there is room now, after a change of the limit. */
  refresh(): void {
    while (this.#acknowledgements.length > 0 && this.#mayDeliver()) {
      this.#unacknowledged -= 1;
      this.#acknowledgements.shift()?.();
    }
  }

  /** Acknowledges all jobs; resolves when nothing runs. Call this once the queue delivers no more. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.refresh();
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  /** Each job that the queue may deliver needs room for its execution. */
  #mayDeliver(): boolean {
    const { deliveries, limit } = this.#options;
    return this.#isClosing || deliveries - this.#unacknowledged < limit() - this.#running.size;
  }

  #tracked(run: Promise<void>): Promise<void> {
    const ended = () => {
      this.#running.delete(tracked);
      this.refresh();
    };
    const tracked = run.then(ended, ended);
    this.#running.add(tracked);
    return run;
  }
}
