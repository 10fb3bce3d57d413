import type { StorageQuotaError } from '@sluice/db';
import { AppError, type ErrorCode, errorMessage, isStackOverflow, JsonTooDeepError, maxDataDepth } from '@sluice/domain';

/** The output of a node cannot be stored. */
export abstract class RunDataError extends AppError {
  readonly nodeName: string;
  /** How the author can fix it. */
  readonly description: string;

  constructor(nodeName: string, { code, message, hint }: { code: ErrorCode; message: string; hint: string }) {
    super({ code, message });
    this.nodeName = nodeName;
    this.description = hint;
  }
}

/** The output of a node exceeds a limit (Contract 4.11). */
class RunDataTooLargeError extends RunDataError {
  constructor(nodeName: string, message: string, hint = 'Reduce the output of the node.') {
    super(nodeName, { code: 'RUN_DATA_TOO_LARGE', message, hint });
  }
}

/** The project is over its storage quota. */
export class QuotaReachedError extends RunDataError {
  constructor(nodeName: string, { message }: StorageQuotaError) {
    const hint = 'Delete executions of the project, or raise STORAGE_MAX_BYTES_PER_PROJECT.';
    super(nodeName, {
      code: 'STORAGE_QUOTA_EXCEEDED',
      message: `data of node "${nodeName}" cannot be stored: ${message}`,
      hint,
    });
  }
}

/**
 * The output of a node is not valid JSON: for example, it contains a BigInt or a circular
 * reference.
 */
class RunDataNotJsonError extends RunDataError {
  constructor(nodeName: string, reason: string) {
    const message = `output of node "${nodeName}" is not valid: ${reason}`;
    super(nodeName, { code: 'INVALID_NODE_OUTPUT', message, hint: 'Return plain JSON data from the node.' });
  }
}

/** The output of a node is nested too deeply. */
class RunDataTooDeepError extends RunDataError {
  constructor(nodeName: string) {
    const message = `the data of node "${nodeName}" is nested deeper than ${maxDataDepth} levels`;
    super(nodeName, { code: 'RUN_DATA_TOO_DEEP', message, hint: 'Return less deeply nested data from the node.' });
  }
}

export function tooLarge(
  nodeName: string,
  { what, max, setting }: { what: string; max: number; setting: string },
): RunDataTooLargeError {
  const hint = `Reduce the output of the node, or process fewer items at a time; the setting ${setting} is the limit.`;
  return new RunDataTooLargeError(nodeName, `${what} of node "${nodeName}" exceed the limit of ${max} bytes`, hint);
}

/** The reason why `stringifyJson` or the removal of secrets failed. */
export function notWritten(nodeName: string, error: unknown): RunDataError {
  if (error instanceof JsonTooDeepError || isStackOverflow(error)) return new RunDataTooDeepError(nodeName);
  if (!(error instanceof RangeError)) return new RunDataNotJsonError(nodeName, errorMessage(error));
  return new RunDataTooLargeError(nodeName, `the data of node "${nodeName}" cannot be stored: ${errorMessage(error)}`);
}
