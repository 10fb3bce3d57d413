import { AppError, isExecutionId, isTraceparent } from '@sluice/domain';

/** An execution, and the attempt to start. */
export interface ExecutionRef {
  executionId: string;
  /** 1-based. */
  attempt: number;
  /** Trace of the work that enqueued it (W3C Trace Context); absent: no trace. */
  traceparent?: string;
  /** Its workflow: a hint, which may be absent. */
  workflowId?: string;
}

/**
 * The only job: these executions wait to start. It contains ids only: data and secrets remain in
 * Postgres, which also decides which executions still have to start. A duplicate, a stalled
 * redelivery, or the job of stopped executions is harmless.
 *
 * A new field is optional until every queue has drained; a changed meaning raises `v`.
 */
export interface RunExecutionsJob {
  v: 2;
  /** One entry for each execution, at most `maxRefsPerJob`. */
  executions: [executionId: string, attempt: number, traceparent?: string | null, workflowId?: string][];
}

/**
 * Maximum number of executions per job, and so of executions delayed by a worker that dies before
 * it has claimed them.
 */
export const maxRefsPerJob = 32;

export const runExecution = {
  queue: 'executions',
  /**
   * Queue of jobs that need a package of node types: workers that have the package read it in
   * addition to the main queue.
   */
  queueOf: (packageName: string) => `executions-of-${packageName}`,
  name: 'run-execution',
  /**
   * For a job with one execution. Deterministic: adding a job that still exists changes nothing.
   * BullMQ allows neither `:` nor digits only.
   */
  jobId: ({ executionId, attempt }: ExecutionRef) => `execution-${executionId}-${attempt}`,
  jobOf: (refs: readonly ExecutionRef[]): RunExecutionsJob => ({
    v: 2,
    executions: refs.map(({ executionId, attempt, traceparent, workflowId }) => {
      if (workflowId !== undefined) return [executionId, attempt, traceparent ?? null, workflowId];
      return traceparent === undefined ? [executionId, attempt] : [executionId, attempt, traceparent];
    }),
  }),
} as const;

/** Validates a job's data; throws `JOB_INVALID` if this release cannot read it. */
export function parseJob(data: unknown): ExecutionRef[] {
  const refs = refsIn(data);
  if (refs.length > 0 && refs.length <= maxRefsPerJob && refs.every(isRef)) return refs;
  throw new AppError({ code: 'JOB_INVALID', message: 'this version cannot read the job', kind: 'defect' });
}

interface UnknownRef {
  executionId: unknown;
  attempt: unknown;
  traceparent?: unknown;
  workflowId?: unknown;
}

/** Jobs of version 1 had one execution each. */
function refsIn(data: unknown): UnknownRef[] {
  if (typeof data !== 'object' || data === null || !('v' in data)) return [];
  const { v, executionId, attempt, executions }: { v: unknown } & Partial<UnknownRef & { executions: unknown }> = data;
  if (v === 1) return [{ executionId, attempt }];
  if (v !== 2 || !Array.isArray(executions) || !executions.every(Array.isArray)) return [];
  return executions.map(([id, number, trace, workflow]: unknown[]) => ({
    executionId: id,
    attempt: number,
    ...(isTraceparent(trace) && { traceparent: trace }),
    ...(typeof workflow === 'string' && { workflowId: workflow }),
  }));
}

function isRef(ref: UnknownRef): ref is ExecutionRef {
  const { executionId, attempt } = ref;
  return typeof executionId === 'string' && isExecutionId(executionId) && Number.isSafeInteger(attempt) && Number(attempt) >= 1;
}
