import { expect } from '@jest/globals';
import type { Fleet } from './fleet.ts';
import type { StartedExecution } from './started-executions.ts';

/** Compares values including their counts; lists missing and surplus ones. */
export function expectEachOnce(found: readonly unknown[], wanted: readonly unknown[]): void {
  const seen = new Set(found);
  const missing = wanted.filter((value) => !seen.has(value));
  const doubled = found.filter((value, index) => found.indexOf(value) !== index);
  const strange = found.filter((value) => !wanted.includes(value));
  expect({ missing, doubled, strange }).toEqual({ missing: [], doubled: [], strange: [] });
}

/** Checks that executions succeeded, or `crashed` because their worker was killed. */
export function expectOnlyKilledCrashed(fleet: Fleet, executions: readonly StartedExecution[]): void {
  const { killed } = fleet;
  const isExplained = ({ status, workerId }: StartedExecution) =>
    status === 'success' || (status === 'crashed' && workerId !== null && killed.includes(workerId));
  const others = executions.filter((execution) => !isExplained(execution));
  expect(others.map(({ id, status, workerId, error }) => ({ id, status, workerId, error }))).toEqual([]);
}
