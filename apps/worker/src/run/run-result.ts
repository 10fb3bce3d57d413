import { type AttemptRef, type FinalStatus, type NewNodeRun, timeoutError } from '@sluice/db';
import {
  type AbortCause,
  type ErrorCode,
  type ErrorRecord,
  ExecutionAborted,
  errorMessage,
  isAppError,
  type JsonObject,
  toErrorRecord,
} from '@sluice/domain';
import type { RunOutcome } from '@sluice/engine';
import type { SecretScrubber } from '@sluice/vault';
import type { WaitingOutcome } from './suspender.ts';

/** The result of running one attempt of an execution. */
export type RunResult = FinishedRun | SuspendedRun | RelinquishedRun;

/** The result of the graph; an interrupted run is handed back, or ends. */
export type GraphResult = RunResult | InterruptedRun;

/** The execution ends. */
export interface FinishedRun {
  readonly kind: 'finished';
  readonly status: FinalStatus;
  /** Without secrets; null: success. */
  readonly error: ErrorRecord | null;
  /** Node runs to be stored with the end; absent: no runs. */
  readonly runs?: readonly NewNodeRun[];
  /** JSON of the last node run; absent: the graph did not run to its end. */
  readonly lastRun?: string | undefined;
  /** Execution that is due because of the end: the parent, or its next child. */
  readonly next?: AttemptRef;
}

/** The execution waits, and continues as a later attempt. */
export interface SuspendedRun {
  readonly kind: 'suspended';
  readonly outcome: WaitingOutcome;
  /** The first child that the execution waits for. */
  readonly next?: AttemptRef;
}

/** This worker may write nothing more: the execution was stopped, or another worker owns it. */
interface RelinquishedRun {
  readonly kind: 'relinquished';
  readonly reason: string | undefined;
}

/** The worker closes, and another worker can continue after the stored node runs. */
interface InterruptedRun {
  readonly kind: 'interrupted';
}

const shutdownError: ErrorRecord & { code: ErrorCode } = {
  name: 'WorkerShutdownError',
  code: 'WORKER_SHUTDOWN',
  message: 'the worker was shut down before the execution ended',
  description: 'Retry the execution: it continues at the node that was running.',
};

/**
 * `isRepeatable`: whether the node that ran last can run again, and everything before it is stored.
 */
export function resultOf(
  outcome: RunOutcome,
  scrubber: SecretScrubber,
  { isRepeatable }: { isRepeatable: boolean },
): GraphResult {
  switch (outcome.status) {
    case 'success':
      return { kind: 'finished', status: 'success', error: null };
    case 'error':
      return failed(outcome.error, scrubber);
    case 'waiting':
      return { kind: 'suspended', outcome };
    case 'aborted':
      return resultOfAbort(outcome.reason, { node: outcome.lastNodeExecuted, isRepeatable });
  }
}

/**
 * For an error outside the nodes: the worker's error, or the reason of the signal that stops the
 * run.
 */
export function resultOfError(
  error: unknown,
  signal: AbortSignal,
  scrubber: SecretScrubber,
  { isRepeatable }: { isRepeatable: boolean },
): GraphResult {
  if (isAppError(error) && error.code === 'EXECUTION_LOST') return relinquished(error);
  return signal.aborted ? resultOfAbort(signal.reason, { isRepeatable }) : failed(toErrorRecord(error), scrubber);
}

/** The end of an execution that no other worker may continue. */
export const endOfShutdown: FinishedRun = { kind: 'finished', status: 'crashed', error: shutdownError };

export function relinquished(reason: unknown): RelinquishedRun {
  return { kind: 'relinquished', reason: reason === undefined ? undefined : errorMessage(reason) };
}

function failed(error: ErrorRecord, scrubber: SecretScrubber): FinishedRun {
  return { kind: 'finished', status: 'error', error: withoutSecrets(error, scrubber) };
}

/** `node`: the node that ran when the signal fired. */
function resultOfAbort(
  reason: unknown,
  { node, isRepeatable }: { node?: string | undefined; isRepeatable: boolean },
): GraphResult {
  const cause: AbortCause | undefined = reason instanceof ExecutionAborted ? reason.abortCause : undefined;
  if (cause === 'timeout')
    return { kind: 'finished', status: 'error', error: { ...timeoutError, ...(node !== undefined && { node }) } };
  if (cause === 'shutdown') return isRepeatable ? { kind: 'interrupted' } : endOfShutdown;
  return relinquished(reason);
}

function withoutSecrets(error: ErrorRecord, scrubber: SecretScrubber): ErrorRecord {
  if (scrubber.isEmpty) return error;
  return scrubber.scrubValue(JSON.parse(JSON.stringify(error)) as JsonObject) as unknown as ErrorRecord;
}
