import type { AttemptRef, ClaimedExecution } from '@sluice/db';
import type { MemoryBudget } from '@sluice/domain';
import { isAppError, noteLimit, tracing } from '@sluice/domain';
import { type Logger, scrubbedLogger, withFields } from '@sluice/logger';
import type { ClaimOptions, ExecutionClaims } from '../claims/execution-claims.ts';
import type { FollowUps } from '../claims/follow-ups.ts';
import type { WorkerCredentials } from '../credentials/worker-credentials.ts';
import type { WorkerMetrics } from '../metrics/worker-metrics.ts';
import type { GraphRunner } from './graph-runner.ts';
import type { ResultWriter } from './result-writer.ts';
import type { RunContext, RunPlan, RunPreparation } from './run-preparation.ts';
import { type GraphResult, type RunResult, resultOfError } from './run-result.ts';

export interface ExecutionRunnerOptions {
  claims: ExecutionClaims;
  credentials: Pick<WorkerCredentials, 'forExecution'>;
  preparation: Pick<RunPreparation, 'load'>;
  graphs: GraphRunner;
  results: ResultWriter;
  followUps: Pick<FollowUps, 'enqueue'>;
  memoryBudget: Pick<MemoryBudget, 'open'>;
  metrics: { readonly current: WorkerMetrics | undefined } | null;
  logger: Logger;
}

export interface RunOptions extends AttemptOptions {
  /**
   * Whether the slot of an ended execution may be reused for the execution that is due because of
   * it.
   */
  mayContinue: () => boolean;
}

interface AttemptOptions extends ClaimOptions {
  onClaimed?: (claimed: Pick<ClaimedExecution, 'projectId'>) => void;
}

/**
 * Runs one execution from claim to end:
 *
 * claim → load graph and earlier node runs → run the graph → finish, with the node runs that are
 * not stored yet → notify waiting clients.
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
   * Calls `onClaimed` once the execution is claimed. Resolves when no work is left for the
   * reference, regardless of the result; rejects if it could not be claimed.
   *
   * A sub-workflow and its parent follow one another here, without a job for each. If the process
   * dies in between, the sweeper enqueues the due execution.
   */
  async run(ref: AttemptRef, { mayContinue, closing, ...options }: RunOptions): Promise<void> {
    let next = await this.#run(ref, { closing, ...options });
    while (next && mayContinue()) next = await this.#runDue(next, { closing });
    if (next) await this.#options.followUps.enqueue([next]);
  }

  /** If it cannot be claimed, another worker may succeed: it has no job to be delivered again. */
  async #runDue(due: AttemptRef, options: AttemptOptions): Promise<AttemptRef | undefined> {
    let isClaimed = false;
    const onClaimed = () => {
      isClaimed = true;
    };
    try {
      return await this.#run(due, { ...options, onClaimed });
    } catch (error) {
      if (!isClaimed) await this.#options.followUps.enqueue([due]);
      throw error;
    }
  }

  /** Resolves to the execution that is due because this execution ended. */
  async #run(ref: AttemptRef, { onClaimed, ...options }: AttemptOptions): Promise<AttemptRef | undefined> {
    const { claims } = this.#options;
    const attempt = await claims.start(ref, options);
    if (!attempt) return undefined;
    onClaimed?.(attempt.claimed);
    let result: RunResult | undefined;
    try {
      result = await traced(ref, attempt.claimed, () => this.#runClaimed(attempt, options.closing));
    } finally {
      await claims.end(attempt, { isRelinquished: result === undefined || result.kind === 'relinquished' });
    }
    return nextOf(result);
  }

  async #runClaimed(run: Pick<RunContext, 'claimed' | 'signal' | 'claim'>, closing: AbortSignal): Promise<RunResult> {
    const { executionId, workflowId, projectId, attempt } = run.claimed;
    const credentials = this.#options.credentials.forExecution(executionId, run.signal);
    const logger = scrubbedLogger(withFields(this.#options.logger, { executionId, workflowId, attempt }), credentials.scrubber);
    const beganAt = performance.now();
    this.#options.metrics?.current?.executionStarted();
    using memory = this.#options.memoryBudget.open(run.signal, { projectId });
    const result = await memory.run(() => this.#settle({ ...run, logger, credentials, memory }, closing));
    this.#note(result, Math.round(performance.now() - beganAt), logger);
    return result;
  }

  /** Resolves to the written result. */
  async #settle(run: RunContext, closing: AbortSignal): Promise<RunResult> {
    const { preparation, graphs, results } = this.#options;
    let plan: RunPlan | undefined;
    let result: GraphResult;
    try {
      plan = await preparation.load(run);
      result = await graphs.run(run, plan);
      if (result.kind === 'suspended') return await results.suspend(run, result, plan.wait, closing);
    } catch (error) {
      result = this.#resultOfError(error, run, { isRepeatable: plan === undefined });
    }
    if (result.kind === 'interrupted') return results.handBack(run, plan, closing);
    return result.kind === 'finished' ? results.finish(run, result, plan, closing) : result;
  }

  #resultOfError(
    error: unknown,
    { signal, credentials, logger }: RunContext,
    options: Parameters<typeof resultOfError>[3],
  ): GraphResult {
    const result = resultOfError(error, signal, credentials.scrubber, options);
    const isDefect = !isAppError(error) || error.kind === 'defect';
    if (result.kind === 'finished' && isDefect && !signal.aborted)
      logger.error({ err: error }, 'execution failed inside the worker');
    return result;
  }

  /** Writes one log line and one count. */
  #note(result: RunResult, durationMs: number, logger: RunContext['logger']): void {
    const metrics = this.#options.metrics?.current;
    switch (result.kind) {
      case 'finished': {
        const { status, error } = result;
        metrics?.executionEnded(status, durationMs);
        noteLimit(error?.code);
        logger[status === 'success' ? 'info' : 'warn']({ durationMs, status, error: error?.message }, 'execution ended');
        return;
      }
      case 'suspended':
        metrics?.executionEnded('waiting', durationMs);
        logger.info({ durationMs }, 'execution waits');
        return;
      case 'relinquished':
        metrics?.executionEnded('relinquished', durationMs);
        logger.info({ durationMs, reason: result.reason }, 'execution relinquished');
    }
  }
}

/**
 * Runs the attempt in a span whose parent is the span of the work that enqueued it. The execution
 * that is due because of its end continues the trace.
 */
async function traced(
  { traceparent }: AttemptRef,
  claimed: ClaimedExecution,
  run: () => Promise<RunResult>,
): Promise<RunResult> {
  const { tracer } = tracing;
  if (!tracer) return run();
  const attributes = {
    'sluice.execution.id': claimed.executionId,
    'sluice.execution.attempt': claimed.attempt,
    'sluice.execution.mode': claimed.mode,
    'sluice.workflow.id': claimed.workflowId,
    'sluice.project.id': claimed.projectId,
  };
  return tracer.span({ name: 'execution', kind: 'consumer', parent: traceparent, attributes }, async (span) => {
    const result = await run();
    span.set('sluice.execution.result', result.kind === 'finished' ? result.status : result.kind);
    if (result.kind === 'finished' && result.status !== 'success') span.fail(result.error?.code ?? 'ERROR');
    const [next, current] = [nextOf(result), tracer.current()];
    return next && current !== undefined ? { ...result, next: { ...next, traceparent: current } } : result;
  });
}

function nextOf(result: RunResult): AttemptRef | undefined {
  return result.kind === 'relinquished' ? undefined : result.next;
}
