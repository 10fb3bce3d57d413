import { AppError, errorMessage, isAppError } from '@sluice/domain';
import type { SecretScrubber } from '@sluice/vault';

const firstPauseMs = 1_000;
const longestPauseMs = 300_000;
/** How long a trigger is left alone whose node type nobody has: the next worker that starts may bring it. */
const lackingPauseMs = 15_000;
/** Characters of a message that are kept. */
const maxMessage = 1_000;

/** How long a trigger that has failed is left alone, in milliseconds: twice as long each time, a fifth more or less, so that many do not come at once. */
export function pauseAfter(failures: number, random: () => number = Math.random): number {
  const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(failures, 20));
  return Math.round(pauseMs * (0.8 + 0.4 * random()));
}

/** As `pauseAfter`, by what has failed. */
export function pauseFor(error: unknown, failures: number): number {
  return isUnknownType(error) ? lackingPauseMs : pauseAfter(failures);
}

/** What users see of a failure: bounded, without what Postgres cannot store, and without the secrets that the scrubber knows. */
export function failureMessage(error: unknown, scrubber: SecretScrubber): string {
  const message = scrubber.scrubText(errorMessage(error)).replaceAll('\u0000', '');
  return message.trim() === '' ? 'it failed, and does not say why' : message.slice(0, maxMessage).toWellFormed();
}

export function isUnknownType(error: unknown): boolean {
  return isAppError(error) && (error.code === 'UNKNOWN_NODE_TYPE' || error.code === 'UNKNOWN_NODE_TYPE_VERSION');
}

/** The worker gives back what it has: it is going to end. */
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
