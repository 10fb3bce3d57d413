/**
 * The statuses of an execution and the transitions between them, defined only here. The database
 * has a matching check constraint and a trigger; a test compares the two.
 */
export const executionStatuses = ['new', 'running', 'waiting', 'success', 'error', 'canceled', 'crashed'] as const;
export type ExecutionStatus = (typeof executionStatuses)[number];

const moves: Record<ExecutionStatus, readonly ExecutionStatus[]> = {
  new: ['running', 'success', 'error', 'canceled', 'crashed'],
  running: ['waiting', 'success', 'error', 'canceled', 'crashed'],
  waiting: ['running', 'canceled', 'error'],
  success: [],
  error: [],
  canceled: [],
  crashed: [],
};

export function canMove(from: ExecutionStatus, to: ExecutionStatus): boolean {
  return moves[from].includes(to);
}

/** Terminal statuses never change. */
export function isTerminal(status: ExecutionStatus): boolean {
  return moves[status].length === 0;
}

export const liveStatuses = executionStatuses.filter((status) => !isTerminal(status));

/** Statuses from which an execution may be retried (Contract 4.6). */
export const retryableStatuses = ['error', 'canceled', 'crashed'] as const satisfies readonly ExecutionStatus[];

export function isRetryable(status: ExecutionStatus): boolean {
  return (retryableStatuses as readonly ExecutionStatus[]).includes(status);
}

export const executionModes = ['manual', 'trigger', 'webhook', 'retry'] as const;
export type ExecutionMode = (typeof executionModes)[number];

/**
 * Why a running execution's `AbortSignal` fired; part of the `ExecutionAborted` in `signal.reason`.
 */
export type AbortCause = 'canceled' | 'timeout' | 'lease-lost' | 'shutdown';

/** The error in `signal.reason` of nodes. */
export class ExecutionAborted extends Error {
  readonly abortCause: AbortCause;
  constructor(cause: AbortCause) {
    super(`execution aborted: ${cause}`);
    this.name = 'ExecutionAborted';
    this.abortCause = cause;
  }
}
