import type { ClaimedExecution, ExecutionRecorder } from '@sluice/db';
import { keepsExecution, maxNotificationLength, untilAvailable, type WorkflowSettings } from '@sluice/domain';
import { type Logger, logRejection } from '@sluice/logger';
import type { SignalChannel } from '@sluice/queue';
import type { FollowUps } from './follow-ups.ts';
import type { HeldExecutions } from './held-executions.ts';
import type { HeldRun } from './run-preparation.ts';
import { type FinishedRun, type RunResult, relinquished, type SuspendedRun } from './run-result.ts';
import type { Suspender, WaitState } from './suspender.ts';

export interface ResultWriterOptions {
  recorder: Pick<ExecutionRecorder, 'finish'>;
  suspender: Pick<Suspender, 'suspend'>;
  held: Pick<HeldExecutions, 'release'>;
  followUps: Pick<FollowUps, 'after' | 'enqueue'>;
  ended: SignalChannel;
  logger: Logger;
}

/**
 * Writes the result of a run, and notifies clients and other executions of it. A result that the
 * guard of its statement refuses becomes `relinquished`.
 */
export class ResultWriter {
  readonly #options: ResultWriterOptions;

  constructor(options: ResultWriterOptions) {
    this.#options = options;
  }

  /**
   * Retries until the worker closes: the run's own signal may have fired long before, at its
   * deadline. `settings`: `undefined` if they could not be read; the execution is then kept, like
   * one of a workflow without settings.
   */
  async finish(
    { claimed, signal }: HeldRun,
    result: FinishedRun,
    settings: WorkflowSettings | undefined,
    closing: AbortSignal,
  ): Promise<RunResult> {
    const { recorder, followUps } = this.#options;
    const { executionId, attempt, retryOf, mode, parentId } = claimed;
    const { status, error, runs } = result;
    const discard = !keepsExecution(settings, mode, status);
    const ending = { executionId, attempt, retryOf, status, error, discard, ...(runs && { runs }) };
    if (!(await untilAvailable(() => recorder.finish(ending), closing))) return relinquished(signal.reason);
    this.#notify(claimed, status === 'success' ? result.lastRun : undefined);
    const failed = status !== 'success' && mode !== 'manual';
    if (failed || parentId !== null) await followUps.after({ parentId, failed });
    return result;
  }

  /**
   * Once the wait is stored, any worker may claim the execution, including this one. Throws
   * `ConflictError` if a workflow to be called has been deleted.
   */
  async suspend(run: HeldRun, result: SuspendedRun, wait: WaitState, closing: AbortSignal): Promise<RunResult> {
    const { suspender, held, followUps, ended, logger } = this.#options;
    const { claimed, credentials, signal } = run;
    const suspended = await suspender.suspend(claimed, result.outcome, { ...wait, scrubber: credentials.scrubber }, closing);
    held.release(claimed);
    if (!suspended) return relinquished(signal.reason);
    if (suspended.first) await followUps.enqueue([suspended.first]);
    else logRejection(logger, ended.publish([claimed.executionId]), 'cannot notify of a waiting execution');
    return result;
  }

  /** Includes the response to the request that started the execution, if it is small. */
  #notify({ executionId, input: { trigger } }: ClaimedExecution, lastRun: string | undefined): void {
    const { ended, logger } = this.#options;
    const awaited = trigger && 'awaitsLast' in trigger && lastRun !== undefined && lastRun.length <= maxNotificationLength;
    const sent = awaited ? ended.publishWith(executionId, `{"lastRun":${lastRun}}`) : ended.publish([executionId]);
    logRejection(logger, sent, 'cannot notify of an ended execution');
  }
}
