import type { ExecutionId } from '@sluice/domain';

/** Identifies one attempt of one execution; every write of a worker is guarded by it. */
export interface AttemptRef {
  executionId: ExecutionId;
  attempt: number;
  /** Trace context of the code that enqueued it; not stored. */
  traceparent?: string;
  /** Its workflow, if the code that enqueued it knew it. */
  workflowId?: string;
}

/** Key of an attempt in a map. */
export function attemptKey({ executionId, attempt }: Pick<AttemptRef, 'executionId' | 'attempt'>): string {
  return `${executionId}-${attempt}`;
}

/** Sorted by ID, so that statements of several processes lock rows in the same order. */
export function sortedById<T extends AttemptRef>(refs: readonly T[]): T[] {
  return refs.toSorted((a, b) => a.executionId.length - b.executionId.length || (a.executionId < b.executionId ? -1 : 1));
}
