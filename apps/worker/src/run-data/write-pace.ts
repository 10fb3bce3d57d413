import { maxRefsPerJob } from '@sluice/queue';
import type { InFlightExecutions } from '../claims/in-flight-executions.ts';

/** A worker that runs at least this many executions is busy: the size of a full job. */
const busyFrom = maxRefsPerJob;

/**
 * How long writes wait so that later writes share their statement. A worker that runs few
 * executions writes at once; a busy worker sends far fewer statements to the database (ADR 75).
 */
export class WritePace {
  readonly #inFlightExecutions: Pick<InFlightExecutions, 'running'>;

  constructor(inFlightExecutions: Pick<InFlightExecutions, 'running'>) {
    this.#inFlightExecutions = inFlightExecutions;
  }

  /** Milliseconds between two statements that claim executions, or that end them. */
  get pauseMs(): number {
    return this.#isBusy ? 10 : 0;
  }

  /**
   * Milliseconds for which runs of nodes without side effects wait for the end of their execution;
   * shorter for the few executions that clients follow, because clients see runs only once they are
   * stored.
   */
  deferMs({ isWatched }: { isWatched: boolean }): number {
    return this.#isBusy && !isWatched ? 500 : 5;
  }

  get #isBusy(): boolean {
    return this.#inFlightExecutions.running >= busyFrom;
  }
}
