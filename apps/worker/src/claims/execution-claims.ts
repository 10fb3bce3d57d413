import type { AttemptRef, ClaimedExecution, ExecutionRecorder } from '@sluice/db';
import { UnavailableError, untilAvailable } from '@sluice/domain';
import type { ProgressReporter } from '../client-messages/progress-reporter.ts';
import type { ComputingGraphs } from './computing-graphs.ts';
import type { ExecutionLimits } from './execution-limits.ts';
import type { InFlightExecutions } from './in-flight-executions.ts';
import type { JobHandover } from './job-handover.ts';
import { LateClaim, maxUnclaimedMs } from './late-claim.ts';

interface ExecutionClaimsOptions {
  recorder: Pick<ExecutionRecorder, 'claim' | 'runUnclaimed'>;
  computingGraphs: Pick<ComputingGraphs, 'refOf'>;
  inFlightExecutions: InFlightExecutions;
  /** Claims executions that are subject to limits. */
  limits: Pick<ExecutionLimits, 'claim' | 'released'>;
  /** Passes on executions that this worker cannot claim, or can no longer run. */
  handover: Pick<JobHandover, 'handBack' | 'handOver'>;
  progress: Pick<ProgressReporter, 'changed'>;
}

export interface ClaimAndRunOptions {
  /** Ends the wait for an unreachable database. */
  closing: AbortSignal;
  /** Whether it must be claimed before it runs, because queued executions take turns. */
  mustClaim?: boolean;
  onClaimed?: (claimed: Pick<ClaimedExecution, 'projectId'>) => void;
}

/** See `RunResult`. */
type ResultKind = 'finished' | 'suspended' | 'relinquished';

/** Runs an attempt. An attempt that runs unclaimed is claimed later through `claim`. */
type Run = (claimed: ClaimedExecution, signal: AbortSignal, claim: LateClaim) => Promise<ResultKind>;

interface StartedAttempt {
  claimed: ClaimedExecution;
  signal: AbortSignal;
  claim: LateClaim;
}

/** Claims attempts of executions for this worker, runs them, and lists them as in flight meanwhile. */
export class ExecutionClaims {
  readonly #options: ExecutionClaimsOptions;

  constructor(options: ExecutionClaimsOptions) {
    this.#options = options;
  }

  /**
   * Claims the attempt, or finds that it may run unclaimed, calls `onClaimed`, and runs it with a
   * signal that fires when the execution is stopped, passes its deadline, or must move to another
   * worker. Resolves when no work is left for the reference; rejects if it could not be claimed.
   */
  async claimAndRun(ref: AttemptRef, run: Run, { closing, mustClaim = false, onClaimed }: ClaimAndRunOptions): Promise<void> {
    const { recorder, inFlightExecutions, handover, progress } = this.#options;
    const signal = inFlightExecutions.reserve(ref);
    if (!signal) return; // a second job for an attempt that already runs here
    let started: StartedAttempt | undefined;
    let result: ResultKind = 'relinquished';
    try {
      const unclaimed = mustClaim ? undefined : await this.#runUnclaimed(ref, closing);
      const claimed = unclaimed ?? (await this.#claim(ref, closing));
      if (claimed === 'settled') return;
      if (!claimed) {
        await handover.handOver(ref, closing);
        return;
      }
      if (closing.aborted) {
        await handover.handBack(claimed);
        throw new UnavailableError('this worker is closing');
      }
      inFlightExecutions.runs(ref, claimed.unclaimedSince === undefined ? 'claimed' : 'unclaimed');
      onClaimed?.(claimed);
      started = { claimed, signal, claim: new LateClaim(claimed, { recorder, inFlightExecutions, progress, signal }) };
      result = await this.#run(started, run);
    } finally {
      inFlightExecutions.release(ref);
      // Nothing of it is stored, and its job is gone. If another worker runs it, the job starts another execution
      // instead, whose own job that worker may have used.
      if (started && !started.claim.isOwned && result === 'relinquished') await handover.handBack(started.claimed);
    }
  }

  async #runUnclaimed(ref: AttemptRef, closing: AbortSignal): Promise<ClaimedExecution | undefined> {
    const { recorder, computingGraphs } = this.#options;
    const computing = computingGraphs.refOf(ref);
    return computing && untilAvailable(() => recorder.runUnclaimed(computing), closing);
  }

  async #claim(ref: AttemptRef, closing: AbortSignal): Promise<ClaimedExecution | 'settled' | undefined> {
    const { recorder, limits } = this.#options;
    return (await untilAvailable(() => recorder.claim(ref), closing)) ?? limits.claim(ref, closing);
  }

  async #run({ claimed, signal, claim }: StartedAttempt, run: Run): Promise<ResultKind> {
    try {
      using _deadline = this.#startDeadline(claimed);
      using _claim = claim.isOwned ? undefined : setTimeout(() => this.#claimLate(claim, claimed), maxUnclaimedMs);
      return await run(claimed, signal, claim);
    } finally {
      await this.#options.limits.released(claimed);
    }
  }

  /** The next attempt, which may already be in flight, has another deadline. */
  #startDeadline(claimed: ClaimedExecution): Disposable | undefined {
    const { remainingMs } = claimed;
    if (remainingMs === null) return undefined;
    return setTimeout(() => this.#options.inFlightExecutions.abortAttempts([claimed], 'timeout'), Math.max(0, remainingMs));
  }

  /** Aborts the run if it cannot be claimed. */
  async #claimLate(claim: LateClaim, ref: AttemptRef): Promise<void> {
    try {
      await claim.ensure();
    } catch {
      this.#options.inFlightExecutions.abortAttempts([ref], 'canceled');
    }
  }
}
