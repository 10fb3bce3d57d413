import { AppError, isExecutionId } from '@sluice/domain';

/**
 * The only job. It carries ids only: data and secrets stay in Postgres, which also decides whether
 * the job is still valid. A duplicate, a stalled redelivery, or the job of a stopped execution is
 * harmless.
 *
 * A new field is optional until every queue has drained; a changed meaning raises `v`.
 */
export interface RunExecutionJob {
  v: 1;
  executionId: string;
  /** 1-based. */
  attempt: number;
}

export const runExecution = {
  queue: 'executions',
  /**
   * Queue of jobs that need a package of node types: workers that have the package read it in
   * addition to the main queue.
   */
  queueOf: (packageName: string) => `executions-of-${packageName}`,
  name: 'run-execution',
  /**
   * Deterministic: adding a job that still exists changes nothing. BullMQ allows neither `:` nor
   * digits only.
   */
  jobId: ({ executionId, attempt }: Pick<RunExecutionJob, 'executionId' | 'attempt'>) => `execution-${executionId}-${attempt}`,
} as const;

/** Validates a job's data; throws `JOB_INVALID` if this build cannot read it. */
export function parseRunExecutionJob(data: unknown): RunExecutionJob {
  if (typeof data === 'object' && data !== null && 'v' in data && 'executionId' in data && 'attempt' in data) {
    const { v, executionId, attempt } = data;
    const valid = v === 1 && typeof executionId === 'string' && isExecutionId(executionId);
    if (valid && Number.isSafeInteger(attempt) && (attempt as number) >= 1)
      return { v, executionId, attempt: attempt as number };
  }
  throw new AppError({ code: 'JOB_INVALID', message: 'this version cannot read the job', kind: 'defect' });
}
