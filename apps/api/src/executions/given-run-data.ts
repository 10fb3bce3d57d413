import type { GivenNodeRun } from '@sluice/contract';
import { type RunData, userKeyed } from '@sluice/domain';

/** Node runs that a caller hands in, completed: they count as successful runs that nothing led to. */
export function completeGivenRuns(given: Readonly<Record<string, readonly GivenNodeRun[]>>): RunData {
  return userKeyed(
    Object.entries(given).map(([name, runs]) => [
      name,
      runs.map(({ startTime = 0, executionTime = 0, data }) => ({
        startTime,
        executionTime,
        executionStatus: 'success' as const,
        source: [],
        ...(data === undefined ? {} : { data }),
      })),
    ]),
  );
}
