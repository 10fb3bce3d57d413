import { AppError, type ErrorCode, isAppError, type JsonValue } from '@sluice/domain';

export interface NodeErrorOptions {
  /** Index of the input item that the node failed on. */
  itemIndex?: number | undefined;
  /** A hint: what the author of the workflow can do. */
  description?: string | undefined;
  details?: JsonValue | undefined;
  cause?: unknown | undefined;
}

/** The node cannot do what its parameters or items ask. `retryOnFail` tries again nevertheless. */
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

/** A remote service answered with an error; `details` holds status and a bounded part of the answer. */
export class NodeApiError extends NodeOperationError {
  constructor(message: string, options: NodeErrorOptions = {}) {
    super(message, options, 'NODE_API_ERROR');
  }
}

/** Whether an error is a node's own, of whatever code, rather than one of a port or a library. Like `isAppError` by its shape, not by its class. */
export function isNodeOperationError(error: unknown): error is NodeOperationError {
  return isAppError(error) && 'itemIndex' in error && 'description' in error;
}
