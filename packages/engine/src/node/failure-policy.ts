import { type ErrorCode, isAppError, type OnErrorPolicy, type WorkflowNode } from '@sluice/domain';

/** Errors that a retry cannot fix. */
const finalErrorCodes: ReadonlySet<ErrorCode> = new Set([
  'STOP_AND_ERROR',
  'INVALID_PARAMETER',
  'UNKNOWN_NODE_TYPE',
  'UNKNOWN_NODE_TYPE_VERSION',
]);

export function isFinal(error: unknown): boolean {
  return isAppError(error) && finalErrorCodes.has(error.code);
}

/** Decides what follows a failed last try. `continueOnFail` is the older setting. */
export function errorPolicy(node: WorkflowNode): OnErrorPolicy {
  return node.onError ?? (node.continueOnFail ? 'continueRegularOutput' : 'stopWorkflow');
}

/** Number of tries, 2 to 5 if the node retries, and milliseconds between them, at most 5,000. */
export function retryPolicy({ retryOnFail, maxTries, waitBetweenTries }: WorkflowNode): { tries: number; waitMs: number } {
  return { tries: retryOnFail ? clamp(maxTries, 2, 5, 3) : 1, waitMs: clamp(waitBetweenTries, 0, 5_000, 1_000) };
}

function clamp(value: number | undefined, least: number, most: number, fallback: number): number {
  return Math.min(Math.max(Number.isFinite(value) ? Math.trunc(value as number) : fallback, least), most);
}
