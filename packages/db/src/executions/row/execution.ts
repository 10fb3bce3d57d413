import type {
  ErrorCode,
  ErrorRecord,
  ExecutionId,
  ExecutionMode,
  ExecutionStatus,
  RunData,
  TriggerStart,
  WorkerId,
  WorkflowId,
} from '@sluice/domain';
import type { Selectable } from 'kysely';
import type { ExecutionTable } from '../../tables/execution-tables.ts';

/** An execution's row, as the rest of the system uses it. */
export interface Execution {
  id: ExecutionId;
  workflowId: WorkflowId;
  projectId: string;
  graphHash: string;
  versionId: string | null;
  status: ExecutionStatus;
  mode: ExecutionMode;
  attempt: number;
  workerId: WorkerId | null;
  userId: string | null;
  retryOf: ExecutionId | null;
  retrySuccessId: ExecutionId | null;
  createdAt: Date;
  startedAt: Date | null;
  stoppedAt: Date | null;
  error: ErrorRecord | null;
}

/** Input of an execution besides its graph (Contract 4.4). */
export interface ExecutionInput {
  startNodes?: string[];
  destinationNode?: string;
  runData?: RunData;
  /** The trigger node that it starts at, with its input. */
  trigger?: TriggerStart;
}

export function toExecution(row: Selectable<ExecutionTable>): Execution {
  return {
    id: row.id,
    workflowId: row.workflow_id,
    projectId: row.project_id,
    graphHash: row.graph_hash,
    versionId: row.version_id,
    status: row.status,
    mode: row.mode,
    attempt: row.attempt,
    workerId: row.worker_id,
    userId: row.user_id,
    retryOf: row.retry_of,
    retrySuccessId: row.retry_success_id,
    createdAt: row.created_at,
    startedAt: row.started_at,
    stoppedAt: row.stopped_at,
    error: row.error,
  };
}

export const workerLostError: ErrorRecord & { code: ErrorCode } = {
  name: 'WorkerLostError',
  code: 'WORKER_LOST',
  message: 'the worker that ran this execution died or lost contact with the database',
  description: 'Retry the execution: it continues at the node that was running.',
};

export const timeoutError: ErrorRecord & { code: ErrorCode } = {
  name: 'ExecutionTimeoutError',
  code: 'EXECUTION_TIMEOUT',
  message: 'the execution took longer than its workflow allows',
  description: 'Raise executionTimeout in the workflow settings, or make the run shorter.',
};
