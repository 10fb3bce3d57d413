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

export interface ClaimOptions {
  /** Ends the wait for an unreachable database. */
  closing: AbortSignal;
  /** Whether it must be claimed before it runs, because queued executions take turns. */
  mustClaim?: boolean;
}

/** An attempt that runs in this worker. */
export interface StartedAttempt {
  readonly claimed: ClaimedExecution;
  /** Its claim, which an attempt that runs unclaimed gets later. */
  readonly claim: LateClaim;
  /** Fires when the execution is stopped, passes its deadline, or must move to another worker. */
  readonly signal: AbortSignal;
  /** Its deadline, and its late claim. */
  readonly timers: Disposable;
}

/** Claims attempts of executions for this worker, and lists them as in flight until their end. */
export class ExecutionClaims {
  readonly #options: ExecutionClaimsOptions;

  constructor(options: ExecutionClaimsOptions) {
    this.#options = options;
  }

  /**
   * Claims the attempt, or finds that it may run unclaimed. `undefined`: no work is left for the
   * reference. Rejects if it could not be claimed. Call `end` after its run.
   */
  async start(ref: AttemptRef, options: ClaimOptions): Promise<StartedAttempt | undefined> {
    const { inFlightExecutions } = this.#options;
    const signal = inFlightExecutions.reserve(ref);
    if (!signal) return undefined; // a second job for an attempt that already runs here
    let started: StartedAttempt | undefined;
    try {
      const claimed = await this.#claim(ref, options);
      started = claimed && this.#started(claimed, signal);
      return started;
    } finally {
      if (!started) inFlightExecutions.release(ref);
    }
  }

  /** `isRelinquished`: its run has not written its result. */
  async end({ claimed, claim, timers }: StartedAttempt, { isRelinquished }: { isRelinquished: boolean }): Promise<void> {
    const { inFlightExecutions, limits, handover } = this.#options;
    timers[Symbol.dispose]();
    await limits.released(claimed);
    inFlightExecutions.release(claimed);
    // Nothing of it is stored, and its job is gone. If another worker runs it, the job starts
    // another execution instead, whose own job that worker may have used.
    if (isRelinquished && !claim.isOwned) await handover.handBack(claimed);
  }

  async #claim(ref: AttemptRef, { closing, mustClaim = false }: ClaimOptions): Promise<ClaimedExecution | undefined> {
    const { handover } = this.#options;
    const unclaimed = mustClaim ? undefined : await this.#runUnclaimed(ref, closing);
    const claimed = unclaimed ?? (await this.#claimNow(ref, closing));
    if (claimed === 'settled') return undefined;
    if (!claimed) {
      await handover.handOver(ref, closing);
      return undefined;
    }
    if (!closing.aborted) return claimed;
    await handover.handBack(claimed);
    throw new UnavailableError('this worker is closing');
  }

  async #runUnclaimed(ref: AttemptRef, closing: AbortSignal): Promise<ClaimedExecution | undefined> {
    const { recorder, computingGraphs } = this.#options;
    const computing = computingGraphs.refOf(ref);
    return computing && untilAvailable(() => recorder.runUnclaimed(computing), closing);
  }

  async #claimNow(ref: AttemptRef, closing: AbortSignal): Promise<ClaimedExecution | 'settled' | undefined> {
    const { recorder, limits } = this.#options;
    return (await untilAvailable(() => recorder.claim(ref), closing)) ?? limits.claim(ref, closing);
  }

  #started(claimed: ClaimedExecution, signal: AbortSignal): StartedAttempt {
    const { recorder, inFlightExecutions, progress } = this.#options;
    const claim = new LateClaim(claimed, { recorder, inFlightExecutions, progress, signal });
    inFlightExecutions.runs(claimed, claim.isOwned ? 'claimed' : 'unclaimed');
    const timers = new DisposableStack();
    timers.use(this.#startDeadline(claimed));
    if (!claim.isOwned) timers.use(setTimeout(() => this.#claimLate(claim, claimed), maxUnclaimedMs));
    return { claimed, claim, signal, timers };
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
