import { AppError, type ErrorCode, isAppError, type JsonValue } from '@sluice/domain';

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
