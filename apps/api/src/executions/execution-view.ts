import type { ExecutionData, ExecutionView, ResultData, RetryView } from '@sluice/contract';
import { type Execution, type ExecutionInput, type ShownExecution, toRunData } from '@sluice/db';
import { type JsonObject, type NodeRunRecord, userKeyed } from '@sluice/domain';

export function toExecutionView(execution: ShownExecution, data?: ExecutionData): ExecutionView {
  return {
    id: execution.id,
    workflowId: execution.workflowId,
    workflowName: execution.workflowName,
    status: execution.status,
    mode: execution.mode,
    startedAt: execution.startedAt?.toISOString() ?? null,
    stoppedAt: execution.stoppedAt?.toISOString() ?? null,
    retryOf: execution.retryOf,
    retrySuccessId: execution.retrySuccessId,
    annotation: execution.annotation,
    ...(data && { data }),
  };
}

export function toResultData({ error }: Pick<Execution, 'error'>, records: readonly NodeRunRecord[]): ResultData {
  const { runData, lastNodeExecuted } = toRunData(records);
  return {
    runData,
    ...(error && { error }),
    ...(lastNodeExecuted !== undefined && { lastNodeExecuted }),
    ...customDataOf(records),
  };
}

/** What the node runs noted about their execution, later ones over earlier ones. */
function customDataOf(records: readonly NodeRunRecord[]): Pick<ResultData, 'metadata'> {
  const entries = records.flatMap(({ run: { customData = {} } }) => Object.entries(customData));
  return entries.length > 0 ? { metadata: userKeyed(entries) } : {};
}

/** Metadata only (decision 4.8). */
export function toExecutionData(
  execution: Execution,
  { records, input }: { records: readonly NodeRunRecord[]; input: ExecutionInput },
): ExecutionData {
  const { startNodes = null, destinationNode = null } = input;
  const failures = records.flatMap(({ nodeName, runIndex, run: { error } }) => (error ? [{ nodeName, runIndex, error }] : []));
  const truncated = records.filter(({ run }) => run.truncated).map(({ nodeName, runIndex }) => ({ nodeName, runIndex }));
  const executionData = {
    versionId: execution.versionId,
    startData: { startNodes, destinationNode },
    attempt: execution.attempt,
    workerId: execution.workerId,
    nodeErrors: failures,
    truncated,
  };
  return { resultData: toResultData(execution, records), executionData: executionData as unknown as JsonObject };
}

export function toRetryView({ id, workflowId, status, mode, retryOf, startedAt }: Execution): RetryView {
  return { id, workflowId, status, mode, retryOf, startedAt: startedAt?.toISOString() ?? null };
}
