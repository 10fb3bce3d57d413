import type { AttemptRef, ClaimedExecution, ExecutionRecorder } from '@sluice/db';
import { AppError, ExecutionAborted, untilAvailable } from '@sluice/domain';
import type { ProgressReporter } from '../client-messages/progress-reporter.ts';
import type { InFlightExecutions } from './in-flight-executions.ts';

/** Milliseconds for which an execution may run unclaimed: another worker may start it, too. */
export const maxUnclaimedMs = 150;

interface LateClaimOptions {
  recorder: Pick<ExecutionRecorder, 'claim'>;
  inFlightExecutions: Pick<InFlightExecutions, 'runs'>;
  /** Followers see the new status at once. */
  progress: Pick<ProgressReporter, 'changed'>;
  /** Ends the wait for an unreachable database. */
  signal: AbortSignal;
}

/**
 * The claim of an execution that runs before it is claimed, because its graph only computes (ADR
 * 79). Most such executions end unclaimed: the statement that ends them is guarded by their status
 * `new`.
 */
export class LateClaim {
  readonly #execution: ClaimedExecution;
  readonly #options: LateClaimOptions;
  #isOwned: boolean;
  #claiming: Promise<void> | undefined;

  constructor(execution: ClaimedExecution, options: LateClaimOptions) {
    this.#execution = execution;
    this.#options = options;
    this.#isOwned = execution.unclaimedSince === undefined;
  }

  /** Whether this worker owns the execution. */
  get isOwned(): boolean {
    return this.#isOwned;
  }

  /**
   * Resolves, or returns at once, when this worker owns the execution; call this before any write
   * other than its end. Rejects with `ExecutionLostError` if it was stopped or belongs to another
   * worker.
   */
  ensure(): void | Promise<void> {
    if (this.#isOwned) return undefined;
    this.#claiming ??= this.#claim();
    return this.#claiming;
  }

  /** For its end: when the run started, if it is still unclaimed. Waits for a claim in flight. */
  async unclaimedSince(): Promise<Pick<ClaimedExecution, 'unclaimedSince'>> {
    await this.#claiming?.catch(() => undefined); // the guard of the end will fail, too
    const { unclaimedSince } = this.#execution;
    return unclaimedSince === undefined || this.#claiming ? {} : { unclaimedSince };
  }

  async #claim(): Promise<void> {
    const { recorder, inFlightExecutions, progress, signal } = this.#options;
    // Another worker runs it from its start: nothing of it is stored.
    if (isShutdown(signal)) throw new ExecutionLostError(this.#execution);
    if (!(await untilAvailable(() => recorder.claim(this.#execution), signal))) throw new ExecutionLostError(this.#execution);
    this.#isOwned = true;
    inFlightExecutions.runs(this.#execution, 'claimed');
    progress.changed(this.#execution.executionId);
  }
}

function isShutdown({ reason }: AbortSignal): boolean {
  return reason instanceof ExecutionAborted && reason.abortCause === 'shutdown';
}

/**
 * The guard of a write failed: this worker no longer owns the execution and must not write anything
 * more for it.
 */
export class ExecutionLostError extends AppError {
  constructor({ executionId }: Pick<AttemptRef, 'executionId'>) {
    super({ code: 'EXECUTION_LOST', message: `execution ${executionId} is no longer this worker's` });
  }
}
