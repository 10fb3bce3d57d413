import { types } from 'node:util';

const maxCauseDepth = 5;

/** What is logged of an error. */
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
 * A chosen set of an error's fields. Others are left out because libraries hang whole requests on them: body-parser puts the
 * raw body into `err.body`, HTTP clients their headers into `err.config`.
 */
export function errorFields(error: unknown, depth = 0): ErrorFields {
  if (!isError(error)) return { type: typeof error, message: String(error) };
  const fields: ErrorFields = { type: error.name, message: error.message };
  if (error.stack !== undefined) fields.stack = error.stack;
  if ('code' in error) fields.code = error.code;
  if ('details' in error && error.details !== undefined) fields.details = error.details;
  if (depth >= maxCauseDepth) return fields;
  if (error.cause !== undefined) fields.cause = errorFields(error.cause, depth + 1);
  if ('errors' in error && Array.isArray(error.errors))
    fields.errors = error.errors.map((each) => errorFields(each, depth + 1));
  return fields;
}

/** By nature and not by class: the error may come from another realm than ours. */
function isError(error: unknown): error is Error {
  return error instanceof Error || types.isNativeError(error);
}
