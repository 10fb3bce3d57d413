import { maxRefsPerJob } from '@sluice/queue';
import type { HeldExecutions } from './held-executions.ts';

/** Executions in flight from which a worker writes less often: as many as a job of the queue has. */
const busyFrom = maxRefsPerJob;

/**
 * How long writes wait for others, which then share their statement. A worker with few executions in
 * flight writes at once; a busy one saves the database most of the statements (ADR 75).
 */
export class WritePace {
  readonly #held: Pick<HeldExecutions, 'size'>;

  constructor(held: Pick<HeldExecutions, 'size'>) {
    this.#held = held;
  }

  /** Milliseconds between two statements that claim executions, or that end them. */
  get pauseMs(): number {
    return this.#isBusy ? 10 : 0;
  }

  /** Milliseconds for which the runs of nodes without side effects wait for the end of their execution. */
  get deferMs(): number {
    return this.#isBusy ? 500 : 5;
  }

  get #isBusy(): boolean {
    return this.#held.size >= busyFrom;
  }
}
