import type { GivenNodeRun } from '@sluice/contract';
import { type NodeRun, type RunData, userKeyed } from '@sluice/domain';

/**
 * Completes node runs of a request body. Runs from an earlier response keep their status, sources
 * and contexts. A run with items only becomes a success, whose sources the engine finds by the
 * connections.
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
