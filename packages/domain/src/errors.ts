import type { ErrorCode } from './error-code.ts';
import { isJsonObject, type JsonObject, type JsonValue } from './json/json.ts';
import type { ErrorRecord } from './workflow/node-run.ts';

/**
 * `expected`: the caller can act on it. `transient`: the same call may succeed later. `defect`: a
 * broken invariant in our code.
 */
type ErrorKind = 'expected' | 'transient' | 'defect';

interface AppErrorOptions {
  code: ErrorCode;
  message: string;
  kind?: ErrorKind;
  details?: JsonValue | undefined;
  cause?: unknown;
}

/**
 * Base of all errors that our modules throw. `code` is stable and explained in `docs/errors.md`.
 * Recognize errors by `code`, not by class: they cross package copies, processes, and test realms.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly kind: ErrorKind;
  readonly details: JsonValue | undefined;

  constructor({ code, message, kind = 'expected', details, cause }: AppErrorOptions) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = new.target === AppError ? nameOf(code) : new.target.name;
    this.code = code;
    this.kind = kind;
    this.details = details;
  }

  /** Whether the same call may succeed later. */
  get retryable(): boolean {
    return this.kind === 'transient';
  }
}

/** `COMMAND_REFUSED` → `CommandRefusedError`: name for an error without its own class. */
function nameOf(code: ErrorCode): string {
  const words = code.split('_').map((word) => word.charAt(0) + word.slice(1).toLowerCase());
  return words.at(-1) === 'Error' ? words.join('') : `${words.join('')}Error`;
}

/** One problem with an input: its location, as a JSON-pointer-like path, and a description. */
export interface ValidationIssue {
  path: string;
  message: string;
}

/**
 * Always has at least one issue, so that every 400 response identifies the location of its cause.
 */
export class ValidationError extends AppError {
  /** `issues`: a path stands for one issue with `message`; the empty path is the whole request. */
  constructor(message: string, issues: string | readonly ValidationIssue[], cause?: unknown) {
    const list = typeof issues === 'string' || issues.length === 0 ? [{ path: String(issues), message }] : issues;
    super({ code: 'VALIDATION_ERROR', message, details: list.map(({ path, message: m }) => ({ path, message: m })), cause });
  }
}

/** `path`: JSON pointer in the body of the request, or the name of a parameter or header. */
export function invalidRequest(path: string, message: string): ValidationError {
  return new ValidationError('the request is not valid', [{ path, message }]);
}

export class UnauthorizedError extends AppError {
  /** `header`: the header that carries the key; absent if it is not to be named. */
  constructor(header?: string) {
    const hint = header === undefined ? '' : `: send it in the header ${header}`;
    super({ code: 'UNAUTHORIZED', message: `missing or invalid API key${hint}` });
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

/**
 * The state of a resource forbids the operation. `code` identifies the rule if clients can act on
 * it.
 */
export class ConflictError extends AppError {
  constructor(message: string, code: ErrorCode = 'CONFLICT', details?: JsonValue) {
    super({ code, message, details });
  }
}

export class PayloadTooLargeError extends AppError {
  constructor(message: string) {
    super({ code: 'PAYLOAD_TOO_LARGE', message });
  }
}

/** Postgres or Redis is unreachable: the API returns 503, a worker retries. */
export class UnavailableError extends AppError {
  constructor(message: string, cause?: unknown) {
    super({ code: 'SERVICE_UNAVAILABLE', message, kind: 'transient', cause });
  }
}

/** `code` of a system or library error. Does not check the class: errors cross realms. */
export function codeOf(error: unknown): string | undefined {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** Checks own data properties only, so that a foreign getter cannot throw. Never throws. */
export function isAppError(error: unknown): error is AppError {
  try {
    const data = isError(error) && 'retryable' in error && [ownData(error, 'code'), ownData(error, 'kind')];
    return data !== false && data.every((value) => typeof value === 'string');
  } catch {
    return false;
  }
}

/**
 * The message of any thrown value. Packages may throw anything: values without a prototype, revoked
 * proxies, getters that throw. Never throws.
 */
export function errorMessage(error: unknown): string {
  if (error === undefined || error === null) return 'failed without a message';
  try {
    // The message of the runtime is "URI malformed".
    if (error instanceof URIError) return 'an address has half a character, or a "%" without two hexadecimal digits';
    return String(isError(error) ? error.message : error);
  } catch {
    return 'an error without a message';
  }
}

/** Whether recursion went too deep, as for deeply nested data. */
export function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError && error.message.includes('call stack');
}

const maxMessageLength = 8_192;

/**
 * An error as data to store and show: no stack, no cause, bounded text. Never throws, for any
 * value.
 */
export function toErrorRecord(error: unknown): ErrorRecord {
  const record: ErrorRecord = { message: clip(errorMessage(error)) || 'unknown error' };
  if (!isError(error)) return record;
  const { name, description, itemIndex, nodeName } = readable(error, ['name', 'description', 'itemIndex', 'nodeName']);
  if (typeof name === 'string') record.name = clip(name);
  if (isAppError(error)) {
    record.code = error.code;
    const details = jsonOf(ownData(error, 'details'));
    if (details) record.details = details;
  }
  if (typeof description === 'string') record.description = clip(description);
  if (typeof itemIndex === 'number') record.itemIndex = itemIndex;
  if (typeof nodeName === 'string') record.node = nodeName;
  return record;
}

/** The message of an error, followed by its hint for the author if it has one. Never throws. */
export function messageWithHint(error: unknown): string {
  const { message, description } = toErrorRecord(error);
  return description ? `${message}. ${description}` : message;
}

/** Prefixes a message with the name of its node, unless the message starts with it. */
export function messageOfNode(nodeName: string, message: string): string {
  const node = `node "${nodeName}"`;
  return message.startsWith(node) ? message : `${node}: ${message}`;
}

function isError(error: unknown): error is Error {
  try {
    return error instanceof Error;
  } catch {
    return false; // a revoked proxy
  }
}

function ownData(error: Error, name: string): unknown {
  try {
    return Object.getOwnPropertyDescriptor(error, name)?.value;
  } catch {
    return undefined;
  }
}

/** The given properties, if they are readable. */
function readable<Name extends string>(error: object, names: readonly Name[]): Partial<Record<Name, unknown>> {
  const values: Partial<Record<Name, unknown>> = {};
  for (const name of names) {
    try {
      values[name] = (error as Record<string, unknown>)[name];
    } catch {
      // Unreadable properties are omitted.
    }
  }
  return values;
}

/** `undefined`: not an object, or not representable in JSON. */
function jsonOf(details: unknown): JsonObject | undefined {
  try {
    const json: unknown = JSON.parse(JSON.stringify(details) ?? 'null');
    return isJsonObject(json) ? json : undefined;
  } catch {
    return undefined;
  }
}

function clip(text: string): string {
  return text.length > maxMessageLength ? `${text.slice(0, maxMessageLength)}…` : text;
}

/** Closes an exhaustive `switch`: does not compile while a case is missing. */
export function assertNever(value: never): never {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`);
}
