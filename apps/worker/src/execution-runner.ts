import { setTimeout as sleep } from 'node:timers/promises';
import type { AttemptRef, ClaimedExecution, ExecutionRecorder, GraphCache, NewNodeRun, RunDataRepository } from '@sluice/db';
import {
  type AnswerChunk,
  type ExecutionId,
  errorMessage,
  isAppError,
  type JsonObject,
  maxCallNews,
  type NodeRunRecord,
  timezoneOf,
  toErrorRecord,
  type WorkflowGraph,
} from '@sluice/domain';
import { type EnginePorts, type RunOutcome, type RunRequest, runWorkflow } from '@sluice/engine';
import { type Logger, logRejection, scrubbedLogger, withFields } from '@sluice/logger';
import { packageOfType } from '@sluice/node-packages';
import type { NodeLogger, WorkflowAccess } from '@sluice/node-sdk';
import type { ExecutionQueue, SignalChannel } from '@sluice/queue';
import type { SecretScrubber } from '@sluice/vault';
import type { ExecutionFiles } from './binary/execution-files.ts';
import { storeInlineFiles } from './binary/inline-files.ts';
import type { CallAnswers } from './call-answers.ts';
import type { CallStream } from './call-stream.ts';
import type { CredentialOpener } from './credentials/credential-opener.ts';
import { ExecutionCredentials } from './credentials/execution-credentials.ts';
import type { FollowUps } from './follow-ups.ts';
import type { HeldExecutions } from './held-executions.ts';
import type { WorkerMetrics } from './metrics/worker-metrics.ts';
import type { ProgressReporter } from './progress-reporter.ts';
import { ExecutionLostError, type RunDataLimits, RunLog } from './run-log.ts';
import type { Suspender, WaitingOutcome, WaitState } from './suspender.ts';
import { untilAvailable } from './until-available.ts';
import type { VariableCache } from './variable-cache.ts';
import { type FinalVerdict, finalVerdict, type Verdict, verdictOf, verdictOfAbort } from './verdict.ts';
import type { WorkflowMemory } from './workflow-memory.ts';

export interface ExecutionRunnerOptions {
  engine: EnginePorts;
  recorder: ExecutionRecorder;
  /** Takes jobs back that are for other workers. */
  queue: Pick<ExecutionQueue, 'enqueueAgain' | 'enqueueFor'>;
  /** The packages of node types that this worker has, and whose queues it reads. */
  packages: readonly string[];
  runData: RunDataRepository;
  graphs: GraphCache;
  credentials: CredentialOpener;
  memory: WorkflowMemory;
  /** The files that an execution may read, and where it stores its own until `signal` fires. */
  filesOf(executionId: ExecutionId, signal: AbortSignal): ExecutionFiles;
  suspender: Suspender;
  callAnswers: CallAnswers;
  /** What of the answer to the call is handed on while an execution runs. */
  streamOf(executionId: ExecutionId, scrubber: SecretScrubber): CallStream;
  followUps: FollowUps;
  /** What the nodes of an execution can do with other workflows. */
  workflowsOf(claimed: ClaimedExecution, scrubber: SecretScrubber): WorkflowAccess;
  held: HeldExecutions;
  ended: SignalChannel;
  progress: ProgressReporter;
  metrics: { readonly made: WorkerMetrics | undefined } | null;
  limits: RunDataLimits & { nodeRunsMax: number };
  variables: VariableCache;
  /** What of the worker's environment expressions may read. */
  env: Readonly<Record<string, string>>;
  /** Time zone of workflows that set none. */
  timezone: string;
  logger: Logger;
}

/** When a job that is for other workers comes again, in milliseconds. */
const forOthersMs = 250;

/** An execution that this worker has claimed. */
interface HeldRun {
  readonly claimed: ClaimedExecution;
  readonly signal: AbortSignal;
  readonly logger: NodeLogger;
  readonly credentials: ExecutionCredentials;
}

/** All that has to be read before its graph can be walked. */
interface RunPlan {
  readonly graph: WorkflowGraph;
  readonly vars: Readonly<Record<string, string>>;
  /** The node runs that it has already, and how much JSON they are. */
  readonly done: { readonly records: NodeRunRecord[]; readonly bytes: number };
  readonly wait: WaitState;
}

/** How far the walk has come. */
interface Walked {
  readonly outcome: RunOutcome;
  /** Node runs that are to be stored with the end. */
  readonly runs: readonly NewNodeRun[];
  /** The JSON of the last one. */
  readonly lastRun: string | undefined;
}

/** An end, as it is written, and told. */
type ReachedEnd = FinalVerdict & Partial<Omit<Walked, 'outcome'>>;

/**
 * Takes one execution from claim to end:
 *
 * claim → load graph and earlier node runs → walk → finish, with the node runs that are not stored yet → tell who waits.
 *
 * An execution that has to wait is suspended instead, and let go of: it comes back as a later attempt, and takes the same way.
 * Every write is guarded. Where a guard does not hold, the execution belongs to somebody else or has been stopped: we stop and
 * write nothing.
 */
export class ExecutionRunner {
  readonly #options: ExecutionRunnerOptions;

  constructor(options: ExecutionRunnerOptions) {
    this.#options = options;
  }

  /** Resolves when there is nothing left to do for the reference, whatever the outcome; rejects when it could not be claimed. */
  async run(ref: AttemptRef, closing: AbortSignal): Promise<void> {
    const { recorder, held } = this.#options;
    const signal = held.reserve(ref);
    if (!signal) return; // a second job for what runs here already
    try {
      const claimed = await untilAvailable(() => recorder.claim(ref), closing);
      if (!claimed) {
        await this.#leaveToOthers(ref, closing);
        return;
      }
      held.claimed(ref);
      await this.#runClaimed(claimed, signal, closing);
    } finally {
      held.release(ref);
    }
  }

  /** An execution that needs node types of a package which this worker lacks goes to the queue of that package. */
  async #leaveToOthers(ref: AttemptRef, closing: AbortSignal): Promise<void> {
    const { recorder, logger } = this.#options;
    const left = await recorder.leaveToOthers(ref);
    if (left) logRejection(logger, this.#giveBack(ref, left.type, closing), 'cannot give an execution back');
  }

  /**
   * Where nobody reads the queue of the package, or we do, as with another version of it, the job goes round in the queue of all. Redis gives it to the worker
   * that has waited longest. We have only just begun to, so after the pause it is hardly us; a delayed job, for which all workers set their clocks, would come
   * to us again and again.
   */
  async #giveBack(ref: AttemptRef, type: string | null, closing: AbortSignal): Promise<void> {
    const { queue, packages } = this.#options;
    const name = type === null ? undefined : packageOfType(type);
    if (name !== undefined && !packages.includes(name) && (await queue.enqueueFor(name, ref))) return;
    await sleep(forOthersMs, undefined, { signal: closing, ref: false }).catch(() => undefined);
    await queue.enqueueAgain(ref);
  }

  async #runClaimed(claimed: ClaimedExecution, signal: AbortSignal, closing: AbortSignal): Promise<void> {
    const { executionId, workflowId, attempt } = claimed;
    const credentials = new ExecutionCredentials(this.#options.credentials, { executionId });
    const logger = scrubbedLogger(withFields(this.#options.logger, { executionId, workflowId, attempt }), credentials.scrubber);
    const { metrics } = this.#options;
    const beganAt = performance.now();
    metrics?.made?.executionStarted();
    const deadline = this.#startDeadline(claimed);
    const final = await this.#reach({ claimed, signal, logger, credentials }, closing);
    clearTimeout(deadline);
    if (final === 'waiting') {
      const durationMs = Math.round(performance.now() - beganAt);
      metrics?.made?.executionEnded('waiting', durationMs);
      logger.info({ durationMs }, 'execution waits');
      return;
    }
    const ended = final !== undefined && (await this.#finish(claimed, final, closing));
    const durationMs = Math.round(performance.now() - beganAt);
    metrics?.made?.executionEnded(ended ? final.status : 'left', durationMs);
    const fields = {
      durationMs,
      status: final?.status,
      error: final?.error?.message,
    };
    if (!ended) logger.info({ ...fields, reason: describe(signal.reason) }, 'execution left');
    else if (final?.status === 'success') logger.info(fields, 'execution ended');
    else logger.warn(fields, 'execution ended');
  }

  /** Walks as far as it goes. `waiting`: it comes back later, and nothing is left to do now. */
  async #reach(run: HeldRun, closing: AbortSignal): Promise<ReachedEnd | 'waiting' | undefined> {
    const { mode } = run.claimed;
    const { scrubber } = run.credentials;
    let plan: RunPlan | undefined;
    const final = (verdict: Verdict) => finalVerdict(verdict, { settings: plan?.graph.settings, mode, scrubber });
    try {
      plan = await this.#load(run);
      const { outcome, ...rest } = await this.#walk(run, plan);
      if (outcome.status === 'waiting') return await this.#suspend(run, plan.wait, outcome, closing);
      const reached = final(verdictOf(outcome));
      return reached && { ...reached, ...rest };
    } catch (error) {
      return final(this.#verdictOfFailure(error, run));
    }
  }

  async #load({ claimed, signal }: HeldRun): Promise<RunPlan> {
    const { graphs, variables, runData, suspender } = this.#options;
    const graph = await untilAvailable(() => graphs.get(claimed.workflowId, claimed.graphHash), signal);
    const vars = await untilAvailable(() => variables.get(), signal);
    const done =
      claimed.retryOf === null && claimed.attempt === 1
        ? { records: [], bytes: 0 }
        : await untilAvailable(() => runData.readNodeRuns(claimed.executionId), signal);
    const wait = await suspender.stateOf(claimed, graph, signal);
    return { graph, vars, done, wait };
  }

  /** All that the walk has recorded is stored when this settles, either way, but for what its end can bring along. */
  async #walk(run: HeldRun, plan: RunPlan): Promise<Walked> {
    const { claimed, signal, credentials } = run;
    const { engine, recorder, progress, limits } = this.#options;
    const report = progress.open(claimed.executionId);
    report.changed();
    const stored = { count: plan.done.records.length, bytes: plan.done.bytes };
    const log = new RunLog(recorder, { ref: claimed, limits, stored, signal, scrubber: credentials.scrubber, report });
    try {
      const request = await this.#requestOf(run, plan);
      const stream = this.#streamOf(run);
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

  /** What the engine walks; the files that came with it are the execution's own from here on. */
  async #requestOf(
    { claimed, signal, logger, credentials }: HeldRun,
    { graph, vars, done, wait }: RunPlan,
  ): Promise<Omit<RunRequest, 'recorder'>> {
    const { env, limits, memory, suspender } = this.#options;
    const timezone = timezoneOf(graph.settings, this.#options.timezone);
    const resume = suspender.addressOf(claimed, wait);
    const binary = this.#options.filesOf(claimed.executionId, signal);
    await binary.adopt({ ...claimed.input, ...wait.resumed });
    return {
      executionId: claimed.executionId,
      workflow: { id: claimed.workflowId, name: graph.name, active: claimed.workflowActive },
      ...(await storeInlineFiles({ graph, mode: claimed.mode, start: claimed.input }, binary)),
      done: done.records,
      ...(wait.resumed && { resumed: wait.resumed }),
      ...(resume && { resume }),
      timezone,
      ...memory.of(claimed, signal),
      maxNodeRuns: limits.nodeRunsMax,
      vars,
      env,
      credentials,
      binary,
      workflows: this.#options.workflowsOf(claimed, credentials.scrubber),
      ...this.#respondOf(claimed, wait, credentials.scrubber),
      signal,
      logger,
    };
  }

  /** What has waited may have been called since, by somebody who has sent a form. */
  #respondOf(claimed: ClaimedExecution, { begunByForm }: WaitState, scrubber: SecretScrubber): Pick<RunRequest, 'respond'> {
    if (!isCalled(claimed) && claimed.attempt === 1) return {};
    const { executionId, attempt } = claimed;
    const ref = { executionId, attempt, begunByForm };
    return { respond: (answer, signal) => this.#options.callAnswers.give(ref, answer, scrubber, signal) };
  }

  #streamOf({ claimed, credentials }: HeldRun): CallStream | undefined {
    const { trigger } = claimed.input;
    if (!trigger || !('streams' in trigger) || !isCalled(claimed)) return undefined;
    return this.#options.streamOf(claimed.executionId, credentials.scrubber);
  }

  /** Resolves to `waiting` once that is written. From then on the execution is anybody's, also this worker's again. */
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
    else logRejection(logger, ended.publish([claimed.executionId]), 'cannot tell that an execution waits');
    return 'waiting';
  }

  /** Of manual runs nothing is kept: they are for trying a workflow out. */
  async #keepStaticData({ claimed, credentials, signal }: HeldRun, outcome: RunOutcome): Promise<void> {
    if (outcome.status !== 'success' || !outcome.staticData || claimed.mode === 'manual') return;
    const changed = credentials.scrubber.scrubValue(outcome.staticData) as JsonObject;
    if (!(await this.#options.memory.keepStaticData(claimed, changed, signal))) throw new ExecutionLostError(claimed);
  }

  /** A failure outside the nodes: ours, or the signal's. */
  #verdictOfFailure(error: unknown, { signal, logger }: HeldRun): Verdict {
    if (isAppError(error) && error.code === 'EXECUTION_LOST') return undefined;
    if (signal.aborted) return verdictOfAbort(signal.reason);
    if (!isAppError(error) || error.kind === 'defect') logger.error({ err: error }, 'execution failed inside the worker');
    return { status: 'error', error: toErrorRecord(error) };
  }

  /** Tries until the worker closes: the run's own signal may have fired long before, by its deadline. */
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

  /** What the call that has started it is to be answered goes along, where it is small. */
  #tellEnd({ executionId, input: { trigger } }: ClaimedExecution, lastRun: string | undefined): void {
    const { ended, logger } = this.#options;
    const awaited = trigger && 'awaitsLast' in trigger && lastRun !== undefined && lastRun.length <= maxCallNews;
    const sent = awaited ? ended.tell(executionId, `{"lastRun":${lastRun}}`) : ended.publish([executionId]);
    logRejection(logger, sent, 'cannot tell that an execution ended');
  }

  #startDeadline({ executionId, remainingMs }: ClaimedExecution): NodeJS.Timeout | undefined {
    if (remainingMs === null) return undefined;
    return setTimeout(() => this.#options.held.abort([executionId], 'timeout'), Math.max(0, remainingMs));
  }
}

/** Whether the end is all that is left to be written. */
function isOver(outcome: RunOutcome): boolean {
  return outcome.status === 'error' || (outcome.status === 'success' && !outcome.staticData);
}

/** Whether a call waits for what it has started, in earnest or at a test URL; for a retry of that, none does. */
function isCalled({ mode, retryOf, input }: ClaimedExecution): boolean {
  return retryOf === null && (mode === 'webhook' || (mode === 'manual' && input.trigger !== undefined));
}

function describe(reason: unknown): string | undefined {
  return reason === undefined ? undefined : errorMessage(reason);
}
