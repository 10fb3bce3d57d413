import { AppError, errorMessage, isAppError } from '@sluice/domain';
import type { SecretScrubber } from '@sluice/vault';

const firstPauseMs = 1_000;
const longestPauseMs = 300_000;
/** Pause for a trigger whose node type no worker has: the next worker to start may have it. */
const lackingPauseMs = 15_000;
/** Maximum length of a stored message. */
const maxMessage = 1_000;

/**
 * Pause after a failure, in milliseconds: doubles each time and varies by a fifth, so that retries
 * do not coincide.
 */
export function pauseAfter(failures: number, random: () => number = Math.random): number {
  const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(failures, 20));
  return Math.round(pauseMs * (0.8 + 0.4 * random()));
}

/** Like `pauseAfter`, depending on the error. */
export function pauseFor(error: unknown, failures: number): number {
  return isUnknownType(error) ? lackingPauseMs : pauseAfter(failures);
}

/**
 * The error message for users: truncated, without characters that Postgres cannot store, and
 * without the scrubber's secrets.
 */
export function failureMessage(error: unknown, scrubber: SecretScrubber): string {
  const message = scrubber.scrubText(errorMessage(error)).replaceAll('\u0000', '');
  return message.trim() === '' ? 'failed without a message' : message.slice(0, maxMessage).toWellFormed();
}

export function isUnknownType(error: unknown): boolean {
  return isAppError(error) && (error.code === 'UNKNOWN_NODE_TYPE' || error.code === 'UNKNOWN_NODE_TYPE_VERSION');
}

/** The worker releases its triggers, because it is shutting down. */
export class WorkerClosingError extends AppError {
  constructor() {
    super({ code: 'TRIGGER_CLOSED', message: 'the worker is shutting down' });
  }
}

export class SourceTimeoutError extends AppError {
  constructor(what: string, timeoutMs: number) {
    super({ code: 'TRIGGER_TIMEOUT', message: `${what} within ${timeoutMs / 1_000} seconds`, kind: 'transient' });
  }
}
