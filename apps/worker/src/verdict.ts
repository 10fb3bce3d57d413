import { type FinalStatus, timeoutError } from '@sluice/db';
import {
  type AbortCause,
  type ErrorCode,
  type ErrorRecord,
  ExecutionAborted,
  type ExecutionMode,
  type JsonObject,
  keepsExecution,
  type WorkflowSettings,
} from '@sluice/domain';
import type { RunOutcome } from '@sluice/engine';
import type { SecretScrubber } from '@sluice/vault';
import type { WaitingOutcome } from './suspender.ts';

/** How an execution ends; `undefined`: this worker may not end it. */
export type Verdict = { status: FinalStatus; error: ErrorRecord | null } | undefined;

/**
 * A verdict in stored form: without secrets, and with the decision whether the workflow keeps the
 * execution.
 */
export type FinalVerdict = Exclude<Verdict, undefined> & { discard: boolean };

const shutdownError: ErrorRecord & { code: ErrorCode } = {
  name: 'WorkerShutdownError',
  code: 'WORKER_SHUTDOWN',
  message: 'the worker was shut down before the execution ended',
  description: 'Retry the execution: it continues at the node that was running.',
};

export function verdictOf(outcome: Exclude<RunOutcome, WaitingOutcome>): Verdict {
  switch (outcome.status) {
    case 'success':
      return { status: 'success', error: null };
    case 'error':
      return { status: 'error', error: outcome.error };
    case 'aborted':
      return verdictOfAbort(outcome.reason, outcome.lastNodeExecuted);
  }
}

/** `node`: the node that ran when the signal fired. */
export function verdictOfAbort(reason: unknown, node?: string): Verdict {
  const cause: AbortCause | undefined = reason instanceof ExecutionAborted ? reason.abortCause : undefined;
  if (cause === 'timeout') return { status: 'error', error: { ...timeoutError, ...(node !== undefined && { node }) } };
  if (cause === 'shutdown') return { status: 'crashed', error: shutdownError };
  return undefined;
}

/**
 * `settings`: `undefined` if they could not be read; then it is kept like an execution of a
 * workflow without settings.
 */
export function finalVerdict(
  verdict: Verdict,
  { settings, mode, scrubber }: { settings: WorkflowSettings | undefined; mode: ExecutionMode; scrubber: SecretScrubber },
): FinalVerdict | undefined {
  if (!verdict) return undefined;
  const { status, error } = verdict;
  return { status, error: error && withoutSecrets(error, scrubber), discard: !keepsExecution(settings, mode, status) };
}

function withoutSecrets(error: ErrorRecord, scrubber: SecretScrubber): ErrorRecord {
  if (scrubber.isEmpty) return error;
  return scrubber.scrubValue(JSON.parse(JSON.stringify(error)) as JsonObject) as unknown as ErrorRecord;
}
