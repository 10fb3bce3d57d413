import { expect } from '@jest/globals';
import type { Fleet } from './fleet.ts';
import type { StartedExecution } from './started-executions.ts';

/** Expects each value exactly once, in any order. */
export function expectEachOnce(actual: readonly unknown[], expected: readonly unknown[]): void {
  const seen = new Set(actual);
  const missing = expected.filter((value) => !seen.has(value));
  const duplicates = actual.filter((value, index) => actual.indexOf(value) !== index);
  const unexpected = actual.filter((value) => !expected.includes(value));
  expect({ missing, duplicates, unexpected }).toEqual({ missing: [], duplicates: [], unexpected: [] });
}

/** Checks that executions succeeded, or `crashed` because their worker was killed. */
export function expectOnlyKilledCrashed(fleet: Fleet, executions: readonly StartedExecution[]): void {
  const { killed } = fleet;
  const isExplained = ({ status, workerId }: StartedExecution) =>
    status === 'success' || (status === 'crashed' && workerId !== null && killed.includes(workerId));
  const others = executions.filter((execution) => !isExplained(execution));
  expect(others.map(({ id, status, workerId, error }) => ({ id, status, workerId, error }))).toEqual([]);
}
