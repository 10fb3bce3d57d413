import type {
  AttemptRef,
  SourceLease,
  SourceStart,
  SourceStartRepository,
  SourceStartResult,
  StoredBinary,
  TriggerSourceRepository,
} from '@sluice/db';
import {
  type AppError,
  isAppError,
  type JsonObject,
  type MemoryBudget,
  triggerFailed,
  untilAborted,
  untilAvailable,
} from '@sluice/domain';
import type { OpenedSource } from '@sluice/engine';
import type { UncaughtErrors } from '@sluice/node-packages';
import type { NodeLogger, PollContext, PollResult } from '@sluice/node-sdk';
import { nextTick } from '@sluice/schedule';
import { fileIdsOf } from '../../binary/file-ids.ts';
import type { PollEnd } from '../../metrics/worker-metrics.ts';
import { failureMessage, isUnknownType, pauseFor, SourceTimeoutError } from './source-failure.ts';
import type { SourceLeaseKeeper } from './source-lease-keeper.ts';
import type { SourceOpener, SourceResources } from './source-opener.ts';
import { scrubbedCursor, scrubbedSharedData } from './source-state.ts';
import { startOutputs } from './start-items.ts';

interface PollRunnerOptions {
  opener: Pick<SourceOpener, 'prepare' | 'open'>;
  leases: Pick<SourceLeaseKeeper, 'add' | 'remove'>;
  triggerSources: Pick<TriggerSourceRepository, 'fail' | 'release'>;
  sourceStarts: Pick<SourceStartRepository, 'commit'>;
  uncaughtErrors: UncaughtErrors;
  memoryBudget: Pick<MemoryBudget, 'open'>;
  /** Called if the worker lacks the node's type. */
  lacks(lease: SourceLease): void;
  /** Enqueues started executions; never rejects. */
  enqueue(started: readonly AttemptRef[]): Promise<void>;
  /** Timeout of a poll in milliseconds. */
  timeoutMs: number;
  /** Maximum JSON size of one execution's items. */
  maxBytes: number;
  /** Time zone of polls without their own. */
  timezone: string;
}

interface RunningPoll {
  lease: SourceLease;
  resources: SourceResources;
  /** Fires when the poll has to stop: at its timeout, or if the lease is lost. */
  signal: AbortSignal;
  /** Fires when the lease is lost. */
  over: AbortSignal;
}

interface PollOutcome {
  result: PollResult;
  cursor: JsonObject | undefined;
}

/**
 * Runs one poll, from the call of the node to the commit of its findings. Executions, cursor, and
 * the next due time are one transaction: a poll that does not commit has no effect, and is repeated
 * with its old cursor.
 */
export class PollRunner {
  readonly #options: PollRunnerOptions;

  constructor(options: PollRunnerOptions) {
    this.#options = options;
  }

  /** Rejects only for database errors: then the lease expires. */
  async run(lease: SourceLease): Promise<PollEnd> {
    const { leases, opener } = this.#options;
    const over = leases.add(lease.leaseId);
    const uncaught = new AbortController();
    const time = AbortSignal.timeout(this.#options.timeoutMs);
    const signal = AbortSignal.any([over, uncaught.signal, time]);
    const resources = opener.prepare(lease, signal);
    using memory = this.#options.memoryBudget.open(signal, { projectId: lease.projectId });
    try {
      const outcome = await memory.run(() =>
        this.#withUncaughtErrors(uncaught, () => this.#poll({ lease, resources, signal, over })),
      );
      return await this.#commit({ lease, resources, signal, over }, outcome);
    } catch (error) {
      return await this.#failed(
        { lease, resources, signal, over },
        causeOf(error, { over, uncaught: uncaught.signal, time }, this.#timeout()),
      );
    } finally {
      leases.remove(lease.leaseId);
      await resources.files.discard();
    }
  }

  #timeout(): SourceTimeoutError {
    return new SourceTimeoutError('the poll did not finish', this.#options.timeoutMs);
  }

  #withUncaughtErrors<T>(uncaught: AbortController, work: () => T): T {
    return this.#options.uncaughtErrors.run({ failed: (error) => uncaught.abort(error) }, work);
  }

  async #poll({ lease, resources, signal }: RunningPoll): Promise<PollOutcome> {
    const { type, context } = await this.#options.opener.open(lease, resources, signal);
    let cursor: JsonObject | undefined;
    const pollContext: PollContext = {
      ...context,
      mode: 'trigger',
      signal,
      saveCursor(next) {
        cursor = next;
      },
    };
    const result = await untilAborted(pollOf(type, lease)(pollContext), signal);
    return { result, cursor };
  }

  async #commit({ lease, resources, over }: RunningPoll, { result, cursor }: PollOutcome): Promise<PollEnd> {
    const { sourceStarts, timezone, maxBytes, enqueue } = this.#options;
    const { scrubber } = resources.credentials;
    const outputs = await startOutputs(result, { nodeName: lease.nodeName, scrubber, maxBytes });
    const files = resources.files.of(outputs.flatMap(({ items }) => items));
    const shared = resources.shared.take();
    const work = {
      starts: withFiles(outputs, files),
      cursor: cursor && (await scrubbedCursor(cursor, scrubber)),
      shared: shared && (await scrubbedSharedData(shared, scrubber)),
      next: await nextOf(lease, timezone),
    };
    const commit = () => resources.files.commit(files, () => sourceStarts.commit(lease, work));
    const outcomes = await untilAvailable(commit, over);
    resources.files.referenced(files);
    await enqueue(outcomes.filter(isStarted).map(({ id }) => ({ executionId: id, attempt: 1, workflowId: lease.workflowId })));
    return outcomes.length > 0 ? 'found' : 'nothing';
  }

  async #failed({ lease, resources, over }: RunningPoll, error: unknown): Promise<PollEnd> {
    const { triggerSources } = this.#options;
    if (over.aborted || isClosed(error)) {
      await triggerSources.release([lease.leaseId]);
      return 'skipped';
    }
    triggerFailed.publish({ kind: 'poll' });
    const message = failureMessage(error, resources.credentials.scrubber);
    logFailure(resources.logger, lease, message);
    if (isUnknownType(error)) this.#options.lacks(lease);
    await triggerSources.fail(lease, { error: message, pauseMs: pauseFor(error, lease.failures) });
    return 'failed';
  }
}

function pollOf(type: OpenedSource['type'], { nodeName }: SourceLease): (context: PollContext) => Promise<PollResult> {
  if (!type.poll) throw new TypeError(`the type of node "${nodeName}" does not poll`);
  // An error thrown before its first await becomes a rejection, too.
  return async (context) => (await type.poll?.(context)) ?? null;
}

/** A file that belongs to the items of two executions goes to the first. */
function withFiles(outputs: readonly Omit<SourceStart, 'files'>[], files: readonly StoredBinary[]): SourceStart[] {
  const unassigned = new Map(files.map((file) => [file.id, file]));
  return outputs.map((start) => {
    const assigned = fileIdsOf(start.items).flatMap((id) => unassigned.get(id) ?? []);
    for (const { id } of assigned) unassigned.delete(id);
    return { ...start, files: assigned };
  });
}

async function nextOf({ spec, tick, since, now }: SourceLease, timezone: string): Promise<{ tick: number; at: number | null }> {
  if (spec.kind !== 'poll' || tick === undefined) throw new TypeError('a poll without a schedule');
  return { tick, at: (await nextTick(spec.rules, spec.timezone ?? timezone, { since, after: now })) ?? null };
}

/** The node's own error is less informative than the reason why it had to stop. */
function causeOf(
  error: unknown,
  { over, uncaught, time }: Record<'over' | 'uncaught' | 'time', AbortSignal>,
  timeout: SourceTimeoutError,
): unknown {
  if (over.aborted) return over.reason;
  if (uncaught.aborted) return uncaught.reason;
  return time.aborted ? timeout : error;
}

function isClosed(error: unknown): boolean {
  return isAppError(error) && error.code === 'TRIGGER_CLOSED';
}

function isStarted(outcome: SourceStartResult | AppError): outcome is SourceStartResult {
  return !isAppError(outcome) && !outcome.repeated;
}

function logFailure(logger: NodeLogger, { failures }: SourceLease, error: string): void {
  logger.warn({ error, failures: failures + 1 }, 'poll failed');
}
