import type { AttemptRef, ClaimedExecution, ExecutionRecorder } from '@sluice/db';
import { UnavailableError, untilAvailable } from '@sluice/domain';
import type { ExecutionLimits } from './execution-limits.ts';
import type { HeldExecutions } from './held-executions.ts';
import type { JobHandover } from './job-handover.ts';

interface ExecutionClaimsOptions {
  recorder: Pick<ExecutionRecorder, 'claim'>;
  held: HeldExecutions;
  /** Claims executions that are subject to limits. */
  limits: Pick<ExecutionLimits, 'claim' | 'left'>;
  /** Passes on executions that this worker cannot claim, or can no longer run. */
  handover: Pick<JobHandover, 'handBack' | 'handOver'>;
}

export interface HoldOptions {
  /** Ends the wait for an unreachable database. */
  closing: AbortSignal;
  onClaimed?: () => void;
}

/** Claims attempts of executions for this worker, and holds them while they run. */
export class ExecutionClaims {
  readonly #options: ExecutionClaimsOptions;

  constructor(options: ExecutionClaimsOptions) {
    this.#options = options;
  }

  /**
   * Claims the attempt, calls `onClaimed`, and runs it with a signal that fires when the execution
   * is stopped, passes its deadline, or has to leave this worker. Resolves when no work is left for
   * the reference; rejects if it could not be claimed.
   */
  async hold(
    ref: AttemptRef,
    run: (claimed: ClaimedExecution, signal: AbortSignal) => Promise<void>,
    { closing, onClaimed }: HoldOptions,
  ): Promise<void> {
    const { recorder, held, limits, handover } = this.#options;
    const signal = held.reserve(ref);
    if (!signal) return; // a second job for an attempt that already runs here
    try {
      const claimed = (await untilAvailable(() => recorder.claim(ref), closing)) ?? (await limits.claim(ref, closing));
      if (claimed === 'settled') return;
      if (!claimed) {
        await handover.handOver(ref, closing);
        return;
      }
      if (closing.aborted) {
        await handover.handBack(ref);
        throw new UnavailableError('this worker is closing');
      }
      held.claimed(ref);
      onClaimed?.();
      await this.#run(claimed, signal, run);
    } finally {
      held.release(ref);
    }
  }

  async #run(claimed: ClaimedExecution, signal: AbortSignal, run: Parameters<ExecutionClaims['hold']>[1]): Promise<void> {
    try {
      using _deadline = this.#startDeadline(claimed);
      await run(claimed, signal);
    } finally {
      await this.#options.limits.left(claimed);
    }
  }

  /** The next attempt, which may already be held, has another deadline. */
  #startDeadline(claimed: ClaimedExecution): Disposable | undefined {
    const { remainingMs } = claimed;
    if (remainingMs === null) return undefined;
    return setTimeout(() => this.#options.held.abortAttempts([claimed], 'timeout'), Math.max(0, remainingMs));
  }
}
