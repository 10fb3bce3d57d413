import { describe, expect, test } from '@jest/globals';
import { canMove, executionStatuses, isRetryable, isTerminal, liveStatuses } from './execution-status.ts';

describe('execution statuses', () => {
  test('a terminal status never changes', () => {
    const terminal = executionStatuses.filter(isTerminal);
    expect(terminal).toEqual(['success', 'error', 'canceled', 'crashed']);
    for (const from of terminal) for (const to of executionStatuses) expect(canMove(from, to)).toBe(false);
  });

  test('any live execution can be canceled', () => {
    for (const from of liveStatuses) expect(canMove(from, 'canceled')).toBe(true);
  });

  test('only an execution that ended without success can be retried', () => {
    expect(executionStatuses.filter(isRetryable)).toEqual(['error', 'canceled', 'crashed']);
    expect(executionStatuses.filter(isRetryable).every(isTerminal)).toBe(true);
  });
});
