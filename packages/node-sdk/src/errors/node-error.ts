import {
  AppError,
  type ErrorCode,
  errorMessage,
  type Item,
  isAppError,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  toErrorRecord,
} from '@sluice/domain';

export interface NodeErrorOptions {
  /** Index of the input item on which the node failed. */
  itemIndex?: number | undefined;
  /** A hint for the workflow author. */
  description?: string | undefined;
  details?: JsonValue | undefined;
  cause?: unknown | undefined;
}

/**
 * The node cannot do what its parameters or items specify. `retryOnFail` retries it nevertheless.
 */
export class NodeOperationError extends AppError {
  readonly itemIndex: number | undefined;
  readonly description: string | undefined;

  constructor(
    message: string,
    { itemIndex, description, details, cause }: NodeErrorOptions = {},
    code: ErrorCode = 'NODE_OPERATION_ERROR',
  ) {
    super({ code, message, details, cause });
    this.itemIndex = itemIndex;
    this.description = description;
  }
}

/**
 * An error response of a remote service. `details` holds the status and a bounded part of the body.
 */
export class NodeApiError extends NodeOperationError {
  constructor(message: string, options: NodeErrorOptions = {}) {
    super(message, options, 'NODE_API_ERROR');
  }
}

/**
 * Whether an error comes from a node, with any code, rather than from a port or library. Checks the
 * shape, not the class, as `isAppError` does.
 */
export function isNodeOperationError(error: unknown): error is NodeOperationError {
  return isAppError(error) && 'itemIndex' in error && 'description' in error;
}

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

// A registered symbol, because a node library may bundle its own copy of this package.
const failed = Symbol.for('sluice.failed-item');

/**
 * The output item for an input item on which the node failed while `continueOnFail` is true. Its
 * `error` is the message, or `shows` for more (`errorObject`). If the node has an error output, the
 * engine sends the item there and adds the input item's JSON.
 */
export function failedItem(error: unknown, itemIndex: number, shows: JsonValue = errorMessage(error)): Item {
  const item: Item = { json: { error: shows }, pairedItem: { item: itemIndex } };
  return Object.defineProperty(item, failed, { value: true });
}

export function isFailedItem(item: unknown): boolean {
  return typeof item === 'object' && item !== null && failed in item;
}
