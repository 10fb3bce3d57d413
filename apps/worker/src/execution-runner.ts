import {
  type AttemptRef,
  type ClaimedExecution,
  type ExecutionRecorder,
  type FinalStatus,
  type RunDataRepository,
  timeoutError,
} from '@sluice/db';
import {
  type AbortCause,
  type ErrorRecord,
  ExecutionAborted,
  errorMessage,
  isAppError,
  type JsonObject,
  toErrorRecord,
} from '@sluice/domain';
import { type EnginePorts, type RunOutcome, runWorkflow } from '@sluice/engine';
import { type Logger, logRejection } from '@sluice/logger';
import type { NodeLogger } from '@sluice/node-sdk';
import type { SignalChannel } from '@sluice/queue';
import type { SecretScrubber } from '@sluice/vault';
import type { CredentialOpener } from './credentials/credential-opener.ts';
import { ExecutionCredentials } from './credentials/execution-credentials.ts';
import { scrubbedLogger } from './credentials/scrubbed-logger.ts';
import type { GraphCache } from './graph-cache.ts';
import type { HeldExecutions } from './held-executions.ts';
import type { ProgressReporter } from './progress-reporter.ts';
import { type RunDataLimits, RunLog } from './run-log.ts';
import { untilAvailable } from './until-available.ts';
import { withFields } from './with-fields.ts';

export interface ExecutionRunnerOptions {
  engine: EnginePorts;
  recorder: ExecutionRecorder;
  runData: RunDataRepository;
  graphs: GraphCache;
  credentials: CredentialOpener;
  held: HeldExecutions;
  ended: SignalChannel;
  progress: ProgressReporter;
  limits: RunDataLimits;
  /** Time zone of workflows that set none. */
  timezone: string;
  logger: Logger;
}

/** How an execution ends for good; `undefined`: it is not ours to end (any more). */
type Verdict = { status: FinalStatus; error: ErrorRecord | null } | undefined;

const shutdownError: ErrorRecord = {
  name: 'WorkerShutdownError',
  code: 'WORKER_SHUTDOWN',
  message: 'the worker was shut down before the execution ended',
  description: 'Retry the execution: it goes on at the node that was running.',
};

/**
 * Takes one execution from claim to end:
 *
 * claim → load graph and earlier node runs → walk → flush node runs → finish → tell who waits.
 *
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
      if (!claimed) return;
      held.claimed(ref.executionId);
      await this.#runClaimed(claimed, signal, closing);
    } finally {
      held.release(ref.executionId);
    }
  }

  async #runClaimed(claimed: ClaimedExecution, signal: AbortSignal, closing: AbortSignal): Promise<void> {
    const { executionId, workflowId, attempt } = claimed;
    const credentials = new ExecutionCredentials(this.#options.credentials, executionId);
    const logger = scrubbedLogger(withFields(this.#options.logger, { executionId, workflowId, attempt }), credentials.scrubber);
    const beganAt = performance.now();
    const deadline = this.#startDeadline(claimed);
    const verdict = await this.#walk(claimed, { signal, logger, credentials }).then(
      (walked) => withoutSecrets(walked, credentials.scrubber),
      (error: unknown) => withoutSecrets(this.#verdictOfFailure(error, signal, logger), credentials.scrubber),
    );
    clearTimeout(deadline);
    const ended = verdict !== undefined && (await this.#finish(claimed, verdict, closing));
    const fields = {
      durationMs: Math.round(performance.now() - beganAt),
      status: verdict?.status,
      error: verdict?.error?.message,
    };
    if (!ended) logger.info({ ...fields, reason: describe(signal.reason) }, 'execution left');
    else if (verdict?.status === 'success') logger.info(fields, 'execution ended');
    else logger.warn(fields, 'execution ended');
  }

  async #walk(
    claimed: ClaimedExecution,
    { signal, logger, credentials }: { signal: AbortSignal; logger: NodeLogger; credentials: ExecutionCredentials },
  ): Promise<Verdict> {
    const { engine, recorder, runData, graphs, progress, limits, timezone } = this.#options;
    const graph = await untilAvailable(() => graphs.get(claimed.workflowId, claimed.graphHash), signal);
    const done =
      claimed.retryOf === null
        ? { records: [], bytes: 0 }
        : await untilAvailable(() => runData.readNodeRuns(claimed.executionId), signal);
    const { scrubber } = credentials;
    const report = progress.open(claimed.executionId);
    report.changed();
    const stored = { count: done.records.length, bytes: done.bytes };
    const log = new RunLog(recorder, { ref: claimed, limits, stored, signal, scrubber, report });
    const zone = graph.settings?.timezone;
    try {
      const outcome = await runWorkflow(engine, {
        executionId: claimed.executionId,
        workflow: { id: claimed.workflowId, name: graph.name, active: false },
        graph,
        mode: claimed.mode,
        start: claimed.input,
        done: done.records,
        timezone: typeof zone === 'string' && zone !== 'DEFAULT' ? zone : timezone,
        vars: {},
        env: {},
        recorder: log,
        credentials,
        signal,
        logger,
      });
      return verdictOf(outcome);
    } finally {
      await log.flush().finally(() => report.close());
    }
  }

  /** A failure outside the nodes: ours, or the signal's. */
  #verdictOfFailure(error: unknown, signal: AbortSignal, logger: NodeLogger): Verdict {
    if (isAppError(error) && error.code === 'EXECUTION_LOST') return undefined;
    if (signal.aborted) return verdictOfAbort(signal.reason);
    if (!isAppError(error) || error.kind === 'defect') logger.error({ err: error }, 'execution failed inside the worker');
    return { status: 'error', error: toErrorRecord(error) };
  }

  /** Tries until the worker closes: the run's own signal may have fired long before, by its deadline. */
  async #finish(
    { executionId, attempt, retryOf }: ClaimedExecution,
    verdict: Exclude<Verdict, undefined>,
    closing: AbortSignal,
  ): Promise<boolean> {
    const { recorder, ended, logger } = this.#options;
    const ending = { executionId, attempt, retryOf, ...verdict };
    const ours = await untilAvailable(() => recorder.finish(ending), closing);
    if (ours) logRejection(logger, ended.publish([executionId]), 'cannot tell that an execution ended');
    return ours;
  }

  #startDeadline({ executionId, remainingMs }: ClaimedExecution): NodeJS.Timeout | undefined {
    if (remainingMs === null) return undefined;
    return setTimeout(() => this.#options.held.abort([executionId], 'timeout'), Math.max(0, remainingMs));
  }
}

function verdictOf(outcome: RunOutcome): Verdict {
  switch (outcome.status) {
    case 'success':
      return { status: 'success', error: null };
    case 'error':
      return { status: 'error', error: outcome.error };
    case 'aborted':
      return verdictOfAbort(outcome.reason, outcome.lastNodeExecuted);
  }
}

function verdictOfAbort(reason: unknown, node?: string): Verdict {
  const cause: AbortCause | undefined = reason instanceof ExecutionAborted ? reason.abortCause : undefined;
  if (cause === 'timeout') return { status: 'error', error: { ...timeoutError, ...(node !== undefined && { node }) } };
  if (cause === 'shutdown') return { status: 'crashed', error: shutdownError };
  return undefined;
}

function withoutSecrets(verdict: Verdict, scrubber: SecretScrubber): Verdict {
  if (!verdict?.error || scrubber.isEmpty) return verdict;
  const error = scrubber.scrubValue(JSON.parse(JSON.stringify(verdict.error)) as JsonObject);
  return { ...verdict, error: error as unknown as ErrorRecord };
}

function describe(reason: unknown): string | undefined {
  return reason === undefined ? undefined : errorMessage(reason);
}
