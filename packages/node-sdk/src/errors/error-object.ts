import { errorMessage, isAppError, isJsonObject, type JsonObject, toErrorRecord } from '@sluice/domain';
import { isNodeOperationError } from './node-error.ts';

/**
 * An error as data for later nodes: `message`; `name`, `code`, and `description` if present; and
 * the fields of its details, which are bounded. `status` is the response's status, if any, and
 * `httpCode` is the same as text.
 */
export function errorObject(error: unknown): JsonObject {
  const details = isAppError(error) && isJsonObject(error.details) ? error.details : {};
  const status = details['status'];
  const description = isNodeOperationError(error) ? error.description : undefined;
  return {
    ...details,
    message: errorMessage(error),
    name: toErrorRecord(error).name ?? 'Error',
    ...(isAppError(error) && { code: error.code }),
    ...(description !== undefined && { description }),
    ...(typeof status === 'number' && { httpCode: String(status) }),
  };
}
