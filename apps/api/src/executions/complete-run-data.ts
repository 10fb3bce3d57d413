import type { SentNodeRun } from '@sluice/contract';
import { type NodeRun, type RunData, userKeyed } from '@sluice/domain';

/**
 * Completes node runs of a request body. Runs from an earlier response keep their status, sources
 * and contexts. A run that has only items becomes a success; the engine derives its sources from
 * the connections.
 */
export function completeRunData(runData: Readonly<Record<string, readonly SentNodeRun[]>>): RunData {
  return userKeyed(Object.entries(runData).map(([name, runs]) => [name, runs.map(completeNodeRun)]));
}

function completeNodeRun({ source = [], data, contextAfter, ...nodeRun }: SentNodeRun): NodeRun {
  const { startTime = 0, executionTime = 0, executionStatus = 'success' } = nodeRun;
  return {
    startTime,
    executionTime,
    executionStatus: executionStatus === 'success' ? 'success' : 'error',
    source,
    ...(data && { data }),
    ...(contextAfter && { contextAfter }),
  };
}
