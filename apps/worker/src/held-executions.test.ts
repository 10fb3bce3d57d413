import { expect, test } from '@jest/globals';
import { HeldExecutions } from './held-executions.ts';

const first = { executionId: '1', attempt: 1 };
const second = { executionId: '1', attempt: 2 };

test('a second job for the same attempt, or one for an attempt before it, gets nothing', () => {
  const held = new HeldExecutions();
  expect(held.reserve(second)).toBeDefined();
  expect(held.reserve(second)).toBeUndefined();
  expect(held.reserve(first)).toBeUndefined();
});

test('an execution that comes back is taken while its attempt before is still being put away', () => {
  const held = new HeldExecutions();
  held.reserve(first);
  held.claimed(first);
  const signal = held.reserve(second);
  held.release(first);
  expect(held.has('1')).toBe(true);
  held.abortAttempts([first], 'canceled');
  expect(signal?.aborted).toBe(false);
  expect(held.claimedRefs).toEqual([]);
  held.claimed(second);
  expect(held.claimedRefs).toEqual([second]);
  held.abort(['1'], 'canceled');
  expect(signal?.reason).toMatchObject({ abortCause: 'canceled' });
  held.release(second);
  expect(held.size).toBe(0);
});
