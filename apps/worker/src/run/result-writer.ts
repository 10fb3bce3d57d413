import type { ExecutionInput, ExecutionRecorder } from '@sluice/db';
import { type ExecutionId, keepsExecution, maxNotificationLength, untilAvailable } from '@sluice/domain';
import { type Logger, logRejection } from '@sluice/logger';
import type { SignalChannel } from '@sluice/queue';
import type { FollowUps } from '../claims/follow-ups.ts';
import type { InFlightExecutions } from '../claims/in-flight-executions.ts';
import type { JobHandover } from '../claims/job-handover.ts';
import type { RunContext, RunPlan } from './run-preparation.ts';
import { endOfShutdown, type FinishedRun, type RunResult, relinquished, type SuspendedRun } from './run-result.ts';
import type { Suspender, WaitState } from './suspender.ts';

export interface ResultWriterOptions {
  recorder: Pick<ExecutionRecorder, 'finish'>;
  suspender: Pick<Suspender, 'suspend'>;
  handover: Pick<JobHandover, 'handBack'>;
  inFlightExecutions: Pick<InFlightExecutions, 'release'>;
  followUps: Pick<FollowUps, 'after'>;
  ended: SignalChannel;
  logger: Logger;
}

/**
 * Writes the result of a run, and notifies clients and other executions. A result that the guard of
 * its statement refuses becomes `relinquished`.
 */
export class ResultWriter {
  readonly #options: ResultWriterOptions;

  constructor(options: ResultWriterOptions) {
    this.#options = options;
  }

  /**
   * Retries until the worker closes: the run's own signal may have fired long before, at its
   * deadline. `plan`: `undefined` if it could not be read; the execution is then kept, as in a
   * workflow without settings.
   */
  async finish(
    { claimed, claim, signal }: RunContext,
    result: FinishedRun,
    plan: RunPlan | undefined,
    closing: AbortSignal,
  ): Promise<RunResult> {
    const { recorder, followUps } = this.#options;
    const { executionId, attempt, retryOf, mode, parentId } = claimed;
    const { status, error, runs } = result;
    const discard = !keepsExecution(plan?.graph.settings, mode, status);
    const since = await claim.unclaimedSince();
    const ending = { executionId, attempt, retryOf, status, error, discard, ...(runs && { runs }), ...since };
    if (!(await untilAvailable(() => recorder.finish(ending), closing))) return relinquished(signal.reason);
    this.#notify(executionId, status === 'success' && isAwaited(plan?.input) ? result.lastRun : undefined);
    const failed = status !== 'success' && mode !== 'manual';
    const next = failed || parentId !== null ? await followUps.after({ parentId, failed }) : undefined;
    return next ? { ...result, next } : result;
  }

  /**
   * Once the wait is stored, any worker may claim the execution, including this one. Throws
   * `ConflictError` if a workflow to be called has been deleted.
   */
  async suspend(run: RunContext, result: SuspendedRun, wait: WaitState, closing: AbortSignal): Promise<RunResult> {
    const { suspender, inFlightExecutions, ended, logger } = this.#options;
    const { claimed, credentials, signal } = run;
    const suspended = await suspender.suspend(claimed, result.outcome, { ...wait, scrubber: credentials.scrubber }, closing);
    inFlightExecutions.release(claimed);
    if (!suspended) return relinquished(signal.reason);
    if (suspended.first) return { ...result, next: suspended.first };
    logRejection(logger, ended.publish([claimed.executionId]), 'cannot notify of a waiting execution');
    return result;
  }

  /**
   * Lets another worker continue an execution whose run the shutdown has interrupted. If that has
   * happened too often, it ends.
   */
  async handBack(run: RunContext, plan: RunPlan | undefined, closing: AbortSignal): Promise<RunResult> {
    const { claimed, claim, signal } = run;
    // Otherwise it was never claimed, and only its job returns to the queue.
    if ((await claim.unclaimedSince()).unclaimedSince === undefined) {
      const { executionId, attempt } = claimed;
      const handedBack = () => this.#options.handover.handBack({ executionId, attempt }, { wasRunning: true });
      if (!(await untilAvailable(handedBack, closing))) return this.finish(run, endOfShutdown, plan, closing);
    }
    return relinquished(signal.reason);
  }

  /** Includes the response to the request that started the execution, if it is small. */
  #notify(executionId: ExecutionId, lastRun: string | undefined): void {
    const { ended, logger } = this.#options;
    const isSent = lastRun !== undefined && lastRun.length <= maxNotificationLength;
    const sent = isSent ? ended.publishWith(executionId, `{"lastRun":${lastRun}}`) : ended.publish([executionId]);
    logRejection(logger, sent, 'cannot notify of an ended execution');
  }
}

/** Whether a request waits for the output of the last node. */
function isAwaited({ trigger }: ExecutionInput = {}): boolean {
  return trigger !== undefined && 'awaitsLast' in trigger;
}
