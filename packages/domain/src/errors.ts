import type { JsonObject, JsonValue } from './json.ts';
import type { ErrorRecord } from './node-run.ts';

/** `expected`: the caller can act on it. `transient`: the same call may work later. `defect`: a broken invariant of ours. */
export type ErrorKind = 'expected' | 'transient' | 'defect';

export interface AppErrorOptions {
  code: string;
  message: string;
  kind?: ErrorKind;
  details?: JsonValue;
  cause?: unknown;
}

/**
 * Base of every error that leaves a module of ours. `code` is upper snake case, stable, and listed in `docs/errors.md`.
 * Recognise errors by `code`, not by class: they cross package copies, processes and test realms.
 */
export class AppError extends Error {
  readonly code: string;
  readonly kind: ErrorKind;
  readonly details: JsonValue | undefined;

  constructor({ code, message, kind = 'expected', details, cause }: AppErrorOptions) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.code = code;
    this.kind = kind;
    this.details = details;
  }

  /** Whether the same call may succeed later. */
  get retryable(): boolean {
    return this.kind === 'transient';
  }
}

/** One complaint about an input: where, as a JSON-pointer-like path, and what. */
export interface ValidationIssue {
  path: string;
  message: string;
}

export class ValidationError extends AppError {
  constructor(message: string, issues: ValidationIssue[] = []) {
    super({ code: 'VALIDATION_ERROR', message, details: issues.map(({ path, message: m }) => ({ path, message: m })) });
  }
}

export class UnauthorizedError extends AppError {
  constructor() {
    super({ code: 'UNAUTHORIZED', message: 'missing or invalid API key' });
  }
}

export class ForbiddenError extends AppError {
  constructor(message: string, details?: JsonValue) {
    super({ code: 'FORBIDDEN', message, details });
  }
}

export class NotFoundError extends AppError {
  constructor(message: string) {
    super({ code: 'NOT_FOUND', message });
  }
}

/** The state of a resource forbids the operation. `code` tells which rule, where a client can act on it. */
export class ConflictError extends AppError {
  constructor(message: string, code = 'CONFLICT', details?: JsonValue) {
    super({ code, message, details });
  }
}

export class PayloadTooLargeError extends AppError {
  constructor(message: string) {
    super({ code: 'PAYLOAD_TOO_LARGE', message });
  }
}

/** Postgres or Redis cannot be reached: the API answers 503, a worker tries again. */
export class UnavailableError extends AppError {
  constructor(message: string, cause?: unknown) {
    super({ code: 'SERVICE_UNAVAILABLE', message, kind: 'transient', cause });
  }
}

export function isAppError(error: unknown): error is AppError {
  return error instanceof Error && 'code' in error && 'kind' in error && 'retryable' in error;
}

export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const maxMessageLength = 8_192;

/** The data of an error that may be stored and shown: no stack, no cause, bounded text. */
export function toErrorRecord(error: unknown): ErrorRecord {
  const record: ErrorRecord = { message: clip(errorMessage(error)) || 'unknown error' };
  if (error instanceof Error) record.name = error.name;
  if (isAppError(error)) {
    record.code = error.code;
    if (typeof error.details === 'object' && error.details !== null && !Array.isArray(error.details)) {
      record.details = error.details as JsonObject;
    }
  }
  if (error instanceof Error) {
    const extra = error as { description?: unknown; itemIndex?: unknown; nodeName?: unknown };
    if (typeof extra.description === 'string') record.description = clip(extra.description);
    if (typeof extra.itemIndex === 'number') record.itemIndex = extra.itemIndex;
    if (typeof extra.nodeName === 'string') record.node = extra.nodeName;
  }
  return record;
}

function clip(text: string): string {
  return text.length > maxMessageLength ? `${text.slice(0, maxMessageLength)}…` : text;
}
