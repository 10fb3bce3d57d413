import type { ExecutionData, ExecutionView, ResultData, RetryView, RunView, RunWarning, TSchema } from '@sluice/contract';
import { type Execution, type ExecutionInput, type ShownExecution, type ShownRun, toRunData } from '@sluice/db';
import {
  type ErrorRecord,
  isTerminal,
  type JsonObject,
  JsonText,
  type NodeRunRecord,
  type RunData,
  userKeyed,
} from '@sluice/domain';
import type { KnownRun } from './run-service.ts';

/** An execution and its node runs. */
export interface ExecutionWithData {
  execution: ShownExecution;
  /** Absent unless requested. */
  data?: { records: readonly NodeRunRecord<ShownRun>[]; input: ExecutionInput };
}

export function toExecutionView({ execution, data }: ExecutionWithData): ExecutionView {
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
    ...(execution.waitingFor && { waitingFor: execution.waitingFor }),
    ...(execution.waitingRun && { waitingRun: execution.waitingRun }),
    ...(execution.error && { error: toShortError(execution.error) }),
    ...(data && { data: toExecutionData(execution, data) }),
  };
}

const maxMessageLength = 1_000;

function toShortError({ message, name, node }: ErrorRecord): NonNullable<ExecutionView['error']> {
  return {
    message: message.slice(0, maxMessageLength).toWellFormed(),
    ...(name !== undefined && { name }),
    ...(node !== undefined && { node }),
  };
}

export function toResultData({ error }: Pick<Execution, 'error'>, records: readonly NodeRunRecord<ShownRun>[]): ResultData {
  const { runData, lastNodeExecuted } = toRunData(records.map(withOutput));
  return {
    runData: runData as RunData, // `JsonText` is serialized as the run that it contains
    ...(error && { error }),
    ...(lastNodeExecuted !== undefined && { lastNodeExecuted }),
    ...customDataOf(records),
  };
}

/** Adds an empty output to a run without one: the contract has `data.main` in every run. */
function withOutput(record: NodeRunRecord<ShownRun>): NodeRunRecord<ShownRun> {
  const { run } = record;
  return run instanceof JsonText || run.data ? record : { ...record, run: { ...run, data: { main: [[]] } } };
}

/** Custom data of the node runs; later ones win. */
function customDataOf(records: readonly NodeRunRecord<ShownRun>[]): Pick<ResultData, 'metadata'> {
  const entries = parsedOf(records).flatMap(({ run: { customData = {} } }) => Object.entries(customData));
  return entries.length > 0 ? { metadata: userKeyed(entries) } : {};
}

/** Only parsed runs may have an error, custom data, or truncated data (`readShownRuns`). */
function parsedOf(records: readonly NodeRunRecord<ShownRun>[]): NodeRunRecord[] {
  return records.filter((record): record is NodeRunRecord => !(record.run instanceof JsonText));
}

/** Metadata only (Contract 4.8). */
function toExecutionData(execution: Execution, { records, input }: Required<ExecutionWithData>['data']): ExecutionData {
  const { startNodes = null, destinationNode = null } = input;
  const parsed = parsedOf(records);
  const failures = parsed.flatMap(({ nodeName, runIndex, run: { error } }) => (error ? [{ nodeName, runIndex, error }] : []));
  const truncated = parsed.filter(({ run }) => run.truncated).map(({ nodeName, runIndex }) => ({ nodeName, runIndex }));
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

export function toRunView({ id, status, error, records }: KnownRun): RunView {
  return { executionId: id, finished: isTerminal(status), status, data: { resultData: toResultData({ error }, records) } };
}

const maxWarnings = 20;
const maxNameLength = 128;

/**
 * Warnings about unknown properties of a body, which are ignored (Contract 1.4). Not for resources:
 * a client sends those back with the properties that it read.
 */
export function ignoredProperties(schema: TSchema, body: object): { warnings?: RunWarning[] } {
  const propertyNames = Object.keys((schema as { properties?: object }).properties ?? {});
  const unknown = Object.keys(body).filter((name) => !propertyNames.includes(name));
  const message = `is not a property of this request and was ignored; its properties are ${propertyNames.join(', ')}`;
  const warnings = unknown
    .slice(0, maxWarnings)
    .map((name) => ({ code: 'UNKNOWN_PROPERTY', path: `/${name.slice(0, maxNameLength)}`, message }));
  return warnings.length > 0 ? { warnings } : {};
}
