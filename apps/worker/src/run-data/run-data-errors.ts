import type { StorageQuotaError } from '@sluice/db';
import { AppError, type ErrorCode, errorMessage, isStackOverflow, JsonTooDeepError, maxDataDepth } from '@sluice/domain';

/** The output of a node cannot be stored. */
export class RunDataError extends AppError {
  readonly nodeName: string;
  /** How the author can fix it. */
  readonly description: string;

  constructor(nodeName: string, code: ErrorCode, message: string, hint: string) {
    super({ code, message });
    this.nodeName = nodeName;
    this.description = hint;
  }
}

/** The output exceeds a limit (Contract 4.11). */
export function tooLarge(
  nodeName: string,
  { what, max, setting }: { what: string; max: number; setting: string },
): RunDataError {
  const message = `${what} of node "${nodeName}" exceed the limit of ${max} bytes`;
  const hint = `Reduce the output of the node, or process fewer items at a time; the setting ${setting} is the limit.`;
  return new RunDataError(nodeName, 'RUN_DATA_TOO_LARGE', message, hint);
}

/** The project is over its storage quota. */
export function quotaReached(nodeName: string, { message }: StorageQuotaError): RunDataError {
  const hint = 'Delete executions of the project, or raise STORAGE_MAX_BYTES_PER_PROJECT.';
  return new RunDataError(nodeName, 'STORAGE_QUOTA_EXCEEDED', `data of node "${nodeName}" cannot be stored: ${message}`, hint);
}

/** The reason why `stringifyJson` or the removal of secrets failed. */
export function notWritten(nodeName: string, error: unknown): RunDataError {
  if (error instanceof JsonTooDeepError || isStackOverflow(error)) {
    const message = `the data of node "${nodeName}" is nested deeper than ${maxDataDepth} levels`;
    return new RunDataError(nodeName, 'RUN_DATA_TOO_DEEP', message, 'Return less deeply nested data from the node.');
  }
  if (!(error instanceof RangeError)) {
    const message = `output of node "${nodeName}" is not valid: ${errorMessage(error)}`; // a BigInt, a circular reference
    return new RunDataError(nodeName, 'INVALID_NODE_OUTPUT', message, 'Return plain JSON data from the node.');
  }
  const message = `the data of node "${nodeName}" cannot be stored: ${errorMessage(error)}`;
  return new RunDataError(nodeName, 'RUN_DATA_TOO_LARGE', message, 'Reduce the output of the node.');
}
