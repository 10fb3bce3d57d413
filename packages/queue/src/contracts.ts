import { AppError, isExecutionId } from '@sluice/domain';

/**
 * The one job there is. It carries ids only: data and secrets stay in Postgres, which also decides whether the job still means
 * anything. A duplicate, a stalled redelivery or the job of a stopped execution is harmless.
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
  /** For jobs that a worker has had to leave for want of a package of node types: workers that have the package read it, besides the other. */
  queueOf: (packageName: string) => `executions-of-${packageName}`,
  name: 'run-execution',
  /** Deterministic: adding a job that is still there changes nothing. No `:` and not all digits, as BullMQ asks. */
  jobId: ({ executionId, attempt }: Pick<RunExecutionJob, 'executionId' | 'attempt'>) => `execution-${executionId}-${attempt}`,
} as const;

/** Checks what came off the queue; throws `JOB_INVALID` for what this build cannot read. */
export function parseRunExecutionJob(data: unknown): RunExecutionJob {
  if (typeof data === 'object' && data !== null && 'v' in data && 'executionId' in data && 'attempt' in data) {
    const { v, executionId, attempt } = data;
    const valid = v === 1 && typeof executionId === 'string' && isExecutionId(executionId);
    if (valid && Number.isSafeInteger(attempt) && (attempt as number) >= 1)
      return { v, executionId, attempt: attempt as number };
  }
  throw new AppError({ code: 'JOB_INVALID', message: 'the job is not one that this version can read', kind: 'defect' });
}
