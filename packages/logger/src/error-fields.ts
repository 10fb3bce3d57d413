import { types } from 'node:util';

const maxCauseDepth = 5;
/** Maximum number of listed errors in a line. */
const maxErrors = 20;
/** Maximum characters of each string, and of the JSON of each other part. */
const maxLength = 16 * 1024;

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
 * A fixed set of an error's fields. Other fields are omitted, because libraries attach whole
 * requests to errors: body-parser sets `err.body` to the raw body, HTTP clients set `err.config` to
 * their headers. Never throws, for any value; unreadable parts and parts that are not JSON are
 * replaced by a note. Long strings lose their middle, because a stack ends with its frames.
 * @param longest maximum characters of each part. A scrubber needs whole strings, because it cannot
 * recognize half a secret.
 */
export function errorFields(error: unknown, longest: number = maxLength): ErrorFields {
  let errorsLeft = maxErrors;
  const fieldsOf = (one: unknown, depth: number): ErrorFields => {
    if (!isError(one))
      return {
        type: typeof one,
        message: clipped(
          text(() => one),
          longest,
        ),
      };
    const fields: ErrorFields = {
      type: clipped(
        text(() => one.name),
        longest,
      ),
      message: clipped(
        text(() => one.message),
        longest,
      ),
    };
    const { stack, code, details, cause, errors } = members(one);
    if (typeof stack === 'string') fields.stack = clipped(stack, longest);
    if (code !== undefined) fields.code = plain(code, longest);
    if (details !== undefined) fields.details = plain(details, longest);
    if (depth >= maxCauseDepth) return fields;
    if (cause !== undefined) fields.cause = fieldsOf(cause, depth + 1);
    if (errors) {
      const listed = errors.slice(0, errorsLeft);
      errorsLeft -= listed.length;
      fields.errors = listed.map((each) => fieldsOf(each, depth + 1));
    }
    return fields;
  };
  return fieldsOf(error, 0);
}

/** Does not check the class: the error may come from another realm. */
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

function clipped(value: string, longest: number): string {
  return value.length > longest ? `${value.slice(0, longest / 2)}…${value.slice(-longest / 2)}` : value;
}

function text(value: () => unknown): string {
  return read(() => String(value()), '[unreadable]');
}

/** A copy, so that no foreign code runs when the line is written. */
function plain(value: unknown, longest: number): unknown {
  return read<unknown>(() => {
    const json = JSON.stringify(value) ?? 'null';
    return json.length > longest ? '[too long]' : JSON.parse(json);
  }, '[not JSON]');
}

function read<T>(value: () => T, otherwise: T): T {
  try {
    return value();
  } catch {
    return otherwise;
  }
}
