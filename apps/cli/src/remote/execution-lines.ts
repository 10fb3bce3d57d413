import type { components } from '@sluice/api-client';
import { executionStatuses, isTerminal } from '@sluice/domain';

export type Execution = components['schemas']['Execution'];

/** One row of a list: ID, status, duration, mode, start, workflow, and error message. */
export function executionRow(execution: Execution): string[] {
  const { id, status, mode, startedAt, workflowName, workflowId } = execution;
  return [
    id,
    status,
    durationOf(execution),
    mode,
    startedAt ?? 'not started',
    `${workflowName} (${workflowId})`,
    errorOf(execution),
  ];
}

/** The error message, if the server includes it in lists. */
function errorOf(execution: Execution): string {
  const { error } = execution as { error?: { message?: string } | null };
  return error?.message ?? '';
}

/** Lines about the error of an execution: its message, its node, and its hint. */
export function errorLines(error: components['schemas']['ErrorRecord'] | undefined): [string, string][] {
  if (!error) return [];
  const { message, node, description } = error;
  const hint: [string, string][] = description ? [['hint', description]] : [];
  return [['error', `${message}${node ? ` (node "${node}")` : ''}`], ...hint];
}

function durationOf({ startedAt, stoppedAt }: Execution): string {
  if (startedAt === null || stoppedAt === null) return '';
  return `${((Date.parse(stoppedAt) - Date.parse(startedAt)) / 1000).toFixed(1)} s`;
}

const terminalStatuses: ReadonlySet<string> = new Set(executionStatuses.filter(isTerminal));

export function hasEnded(status: string): boolean {
  return terminalStatuses.has(status);
}
