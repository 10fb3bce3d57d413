import { types } from 'node:util';

const maxCauseDepth = 5;

/** The logged fields of an error. */
export interface ErrorFields {
  type: string;
  message: string;
  stack?: string;
  code?: unknown;
  details?: unknown;
  cause?: ErrorFields;
  errors?: ErrorFields[];
}

/**
 * A fixed set of an error's fields. Others are left out, because libraries attach whole requests to
 * errors: body-parser sets `err.body` to the raw body, HTTP clients set `err.config` to their
 * headers. Never throws, for any value; unreadable parts and parts that are not JSON are replaced
 * by a note.
 */
export function errorFields(error: unknown, depth = 0): ErrorFields {
  if (!isError(error)) return { type: typeof error, message: text(() => error) };
  const fields: ErrorFields = { type: text(() => error.name), message: text(() => error.message) };
  const { stack, code, details, cause, errors } = members(error);
  if (typeof stack === 'string') fields.stack = stack;
  if (code !== undefined) fields.code = plain(code);
  if (details !== undefined) fields.details = plain(details);
  if (depth >= maxCauseDepth) return fields;
  if (cause !== undefined) fields.cause = errorFields(cause, depth + 1);
  if (errors) fields.errors = errors.map((each) => errorFields(each, depth + 1));
  return fields;
}

/** By its nature, not its class: the error may come from another realm. */
export function isError(error: unknown): error is Error {
  return types.isNativeError(error) || read(() => error instanceof Error, false);
}

function members(error: Error & { code?: unknown; details?: unknown; errors?: unknown }) {
  return {
    stack: read(() => error.stack, undefined),
    code: read(() => error.code, undefined),
    details: read(() => error.details, undefined),
    cause: read(() => error.cause, undefined),
    errors: read(() => (Array.isArray(error.errors) ? Array.from<unknown>(error.errors) : undefined), undefined),
  };
}

function text(value: () => unknown): string {
  return read(() => String(value()), '[unreadable]');
}

/** A copy, so that no foreign code runs when the line is written. */
function plain(value: unknown): unknown {
  return read<unknown>(() => JSON.parse(JSON.stringify(value) ?? 'null'), '[not JSON]');
}

function read<T>(value: () => T, otherwise: T): T {
  try {
    return value();
  } catch {
    return otherwise;
  }
}
