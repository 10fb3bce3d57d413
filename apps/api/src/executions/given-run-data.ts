import type { GivenNodeRun } from '@sluice/contract';
import { type NodeRun, type RunData, userKeyed } from '@sluice/domain';

/**
 * Node runs that a caller hands in, completed. What a run has answered keeps its meaning: a run
 * that failed stays one, and sources and contexts stay. A run that says no more than its items is a
 * success whose sources the engine finds by the connections.
 */
export function completeGivenRuns(given: Readonly<Record<string, readonly GivenNodeRun[]>>): RunData {
  return userKeyed(Object.entries(given).map(([name, runs]) => [name, runs.map(completeGivenRun)]));
}

function completeGivenRun({ source = [], data, contextAfter, ...given }: GivenNodeRun): NodeRun {
  const { startTime = 0, executionTime = 0, executionStatus = 'success' } = given;
  return {
    startTime,
    executionTime,
    executionStatus: executionStatus === 'success' ? 'success' : 'error',
    source,
    ...(data && { data }),
    ...(contextAfter && { contextAfter }),
  };
}
