import type { AttemptRef, ClaimedExecution, ExecutionRecorder, NewNodeRun, StorageQuota } from '@sluice/db';
import {
  type AnswerChunk,
  errorMessage,
  isAppError,
  type JsonObject,
  maxNotificationLength,
  parseJson,
  stringifyJson,
  toErrorRecord,
} from '@sluice/domain';
import { type EnginePorts, type RunOutcome, runWorkflow } from '@sluice/engine';
import { type Logger, logRejection, scrubbedLogger, withFields } from '@sluice/logger';
import type { SignalChannel } from '@sluice/queue';
import type { WorkerCredentials } from './credentials/worker-credentials.ts';
import type { FollowUps } from './follow-ups.ts';
import type { HeldExecutions } from './held-executions.ts';
import type { JobHandover } from './job-handover.ts';
import type { WorkerMetrics } from './metrics/worker-metrics.ts';
import type { ProgressReporter } from './progress-reporter.ts';
import { ExecutionLostError, type RunDataLimits, RunLog } from './run-log.ts';
import type { HeldRun, RunPlan, RunPreparation } from './run-preparation.ts';
import type { Suspender, WaitingOutcome, WaitState } from './suspender.ts';
import { untilAvailable } from './until-available.ts';
import { type FinalVerdict, finalVerdict, type Verdict, verdictOf, verdictOfAbort } from './verdict.ts';
import type { WorkflowMemory } from './workflow-memory.ts';

export interface ExecutionRunnerOptions {
  engine: EnginePorts;
  recorder: ExecutionRecorder;
  /** Handles executions that cannot be claimed. */
  handover: JobHandover;
  preparation: RunPreparation;
  credentials: WorkerCredentials;
  memory: WorkflowMemory;
  suspender: Suspender;
  followUps: FollowUps;
  held: HeldExecutions;
  ended: SignalChannel;
  progress: ProgressReporter;
  metrics: { readonly made: WorkerMetrics | undefined } | null;
  limits: RunDataLimits;
  quota: Pick<StorageQuota, 'assertRoom'>;
  logger: Logger;
}

/** Progress of the walk. */
interface Walked {
  readonly outcome: RunOutcome;
  /** Node runs to be stored with the end. */
  readonly runs: readonly NewNodeRun[];
  /** JSON of the last one. */
  readonly lastRun: string | undefined;
}

/** An end as it is written and notified. */
type ReachedEnd = FinalVerdict & Partial<Omit<Walked, 'outcome'>>;

interface RunResult {
  /** `waiting`: it will be resumed. `undefined`: this worker may not end it. */
  readonly reached: ReachedEnd | 'waiting' | undefined;
  /** Whether it was written; otherwise the execution is abandoned. */
  readonly isOurs: boolean;
  readonly durationMs: number;
}

/**
 * Runs one execution from claim to end:
 *
 * claim → load graph and earlier node runs → walk → finish, with the node runs that are not stored
 * yet → notify waiting clients.
 *
 * An execution that has to wait is suspended and released instead; it is resumed as a later
 * attempt. Every write is guarded. If a guard fails, the execution belongs to another worker or has
 * been stopped: the runner stops and writes nothing.
 */
export class ExecutionRunner {
  readonly #options: ExecutionRunnerOptions;

  constructor(options: ExecutionRunnerOptions) {
    this.#options = options;
  }

  /**
   * Resolves when no work is left for the reference, whatever the outcome; rejects if it could not
   * be claimed.
   */
  async run(ref: AttemptRef, closing: AbortSignal): Promise<void> {
    const { recorder, held, handover } = this.#options;
    const signal = held.reserve(ref);
    if (!signal) return; // a second job for an attempt that already runs here
    try {
      const claimed = await untilAvailable(() => recorder.claim(ref), closing);
      if (!claimed) {
        await handover.handOver(ref, closing);
        return;
      }
      held.claimed(ref);
      await this.#runClaimed(claimed, signal, closing);
    } finally {
      held.release(ref);
    }
  }

  async #runClaimed(claimed: ClaimedExecution, signal: AbortSignal, closing: AbortSignal): Promise<void> {
    const { executionId, workflowId, attempt } = claimed;
    const credentials = this.#options.credentials.forExecution(executionId);
    const logger = scrubbedLogger(withFields(this.#options.logger, { executionId, workflowId, attempt }), credentials.scrubber);
    const run = { claimed, signal, logger, credentials };
    const beganAt = performance.now();
    this.#options.metrics?.made?.executionStarted();
    const deadline = this.#startDeadline(claimed);
    const reached = await this.#reach(run, closing);
    clearTimeout(deadline);
    const isOurs = reached === 'waiting' || (reached !== undefined && (await this.#finish(claimed, reached, closing)));
    this.#note(run, { reached, isOurs, durationMs: Math.round(performance.now() - beganAt) });
  }

  /** Writes one log line and one count for the result of a run. */
  #note({ logger, signal }: HeldRun, { reached, isOurs, durationMs }: RunResult): void {
    const metrics = this.#options.metrics?.made;
    if (reached === 'waiting') {
      metrics?.executionEnded('waiting', durationMs);
      logger.info({ durationMs }, 'execution waits');
      return;
    }
    metrics?.executionEnded(reached && isOurs ? reached.status : 'left', durationMs);
    const fields = { durationMs, status: reached?.status, error: reached?.error?.message };
    if (!isOurs) logger.info({ ...fields, reason: describe(signal.reason) }, 'execution left');
    else if (reached?.status === 'success') logger.info(fields, 'execution ended');
    else logger.warn(fields, 'execution ended');
  }

  /** Walks as far as possible. Stores a wait, but not an end. */
  async #reach(run: HeldRun, closing: AbortSignal): Promise<RunResult['reached']> {
    const { mode } = run.claimed;
    const { scrubber } = run.credentials;
    let plan: RunPlan | undefined;
    const final = (verdict: Verdict) => finalVerdict(verdict, { settings: plan?.graph.settings, mode, scrubber });
    try {
      plan = await this.#options.preparation.load(run);
      const { outcome, ...rest } = await this.#walk(run, plan);
      if (outcome.status === 'waiting') return await this.#suspend(run, plan.wait, outcome, closing);
      const reached = final(verdictOf(outcome));
      return reached && { ...reached, ...rest };
    } catch (error) {
      return final(this.#verdictOfFailure(error, run));
    }
  }

  /**
   * When this settles, either way, everything that the walk recorded is stored, except what the end
   * can store with it.
   */
  async #walk(run: HeldRun, plan: RunPlan): Promise<Walked> {
    const { claimed, signal, credentials } = run;
    const { engine, recorder, preparation, progress, limits, quota } = this.#options;
    const report = progress.open(claimed.executionId);
    report.changed();
    const stored = { count: plan.done.records.length, bytes: plan.done.bytes };
    const assertRoom = () => quota.assertRoom(claimed.projectId);
    const { scrubber } = credentials;
    const log = new RunLog(recorder, { ref: claimed, limits, stored, signal, scrubber, report, assertRoom });
    try {
      const request = await preparation.requestOf(run, plan);
      const stream = preparation.streamOf(run);
      const streamed = stream && { stream: (chunk: AnswerChunk) => stream.send(chunk) };
      const outcome = await runWorkflow(engine, { ...request, ...streamed, recorder: log });
      await stream?.settle();
      const runs = isOver(outcome) ? await log.rest() : [];
      await log.flush();
      await this.#keepStaticData(run, outcome);
      return { outcome, runs, lastRun: log.last };
    } catch (error) {
      await log.flush();
      throw error;
    } finally {
      report.close();
    }
  }

  /**
   * Resolves to `waiting` once that is stored. From then on any worker may claim the execution,
   * including this one.
   */
  async #suspend(
    { claimed, credentials: { scrubber } }: HeldRun,
    wait: WaitState,
    outcome: WaitingOutcome,
    closing: AbortSignal,
  ): Promise<'waiting' | undefined> {
    const { suspender, followUps, held, ended, logger } = this.#options;
    const suspended = await suspender.suspend(claimed, outcome, { ...wait, scrubber }, closing);
    held.release(claimed);
    if (!suspended) return undefined;
    if (suspended.first) await followUps.enqueue([suspended.first]);
    else logRejection(logger, ended.publish([claimed.executionId]), 'cannot notify of a waiting execution');
    return 'waiting';
  }

  /** Nothing is kept of manual runs, which test a workflow. */
  async #keepStaticData({ claimed, credentials, signal }: HeldRun, outcome: RunOutcome): Promise<void> {
    if (outcome.status !== 'success' || !outcome.staticData || claimed.mode === 'manual') return;
    const json = await credentials.scrubber.scrubJson(await stringifyJson(outcome.staticData), signal);
    const changed = (await parseJson(json, signal)) as JsonObject;
    if (!(await this.#options.memory.keepStaticData(claimed, changed, signal))) throw new ExecutionLostError(claimed);
  }

  /** A failure outside the nodes: of the worker, or by the signal. */
  #verdictOfFailure(error: unknown, { signal, logger }: HeldRun): Verdict {
    if (isAppError(error) && error.code === 'EXECUTION_LOST') return undefined;
    if (signal.aborted) return verdictOfAbort(signal.reason);
    if (!isAppError(error) || error.kind === 'defect') logger.error({ err: error }, 'execution failed inside the worker');
    return { status: 'error', error: toErrorRecord(error) };
  }

  /**
   * Retries until the worker closes: the run's own signal may have fired long before, at its
   * deadline.
   */
  async #finish(claimed: ClaimedExecution, { lastRun, ...final }: ReachedEnd, closing: AbortSignal): Promise<boolean> {
    const { recorder, followUps } = this.#options;
    const { executionId, attempt, retryOf, mode, parentId } = claimed;
    const ending = { executionId, attempt, retryOf, ...final };
    const ours = await untilAvailable(() => recorder.finish(ending), closing);
    if (!ours) return false;
    this.#tellEnd(claimed, final.status === 'success' ? lastRun : undefined);
    const failed = final.status !== 'success' && mode !== 'manual';
    if (failed || parentId !== null) await followUps.after({ parentId, failed });
    return true;
  }

  /** Includes the response to the request that started the execution, if it is small. */
  #tellEnd({ executionId, input: { trigger } }: ClaimedExecution, lastRun: string | undefined): void {
    const { ended, logger } = this.#options;
    const awaited = trigger && 'awaitsLast' in trigger && lastRun !== undefined && lastRun.length <= maxNotificationLength;
    const sent = awaited ? ended.tell(executionId, `{"lastRun":${lastRun}}`) : ended.publish([executionId]);
    logRejection(logger, sent, 'cannot notify of an ended execution');
  }

  #startDeadline({ executionId, remainingMs }: ClaimedExecution): NodeJS.Timeout | undefined {
    if (remainingMs === null) return undefined;
    return setTimeout(() => this.#options.held.abort([executionId], 'timeout'), Math.max(0, remainingMs));
  }
}

/** Whether only the end is left to be written. */
function isOver(outcome: RunOutcome): boolean {
  return outcome.status === 'error' || (outcome.status === 'success' && !outcome.staticData);
}

function describe(reason: unknown): string | undefined {
  return reason === undefined ? undefined : errorMessage(reason);
}
