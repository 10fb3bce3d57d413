import { expect, test } from '@jest/globals';
import { HeldExecutions } from './held-executions.ts';

const first = { executionId: '1', attempt: 1 };
const second = { executionId: '1', attempt: 2 };

test('a second job for the same attempt is rejected', () => {
  const heldExecutions = new HeldExecutions();
  expect(heldExecutions.reserve(second)).toBeDefined();
  expect(heldExecutions.reserve(second)).toBeUndefined();
});

test('an execution that resumes is accepted while its previous attempt is still being released', () => {
  const heldExecutions = new HeldExecutions();
  heldExecutions.reserve(first);
  heldExecutions.runs(first, 'claimed');
  const signal = heldExecutions.reserve(second);
  heldExecutions.release(first);
  heldExecutions.release(first);
  expect(heldExecutions.has('1')).toBe(true);
  heldExecutions.abortAttempts([first], 'canceled');
  expect(signal?.aborted).toBe(false);
  expect([heldExecutions.claimedRefs, heldExecutions.running]).toEqual([[], 0]);
  heldExecutions.runs(second, 'unclaimed');
  expect([heldExecutions.claimedRefs, heldExecutions.running]).toEqual([[], 1]);
  heldExecutions.runs(second, 'claimed');
  expect([heldExecutions.claimedRefs, heldExecutions.running]).toEqual([[second], 1]);
  heldExecutions.abortAttempts(heldExecutions.refsOf(['1']), 'canceled');
  expect(signal?.reason).toMatchObject({ abortCause: 'canceled' });
  heldExecutions.release(second);
  expect([heldExecutions.size, heldExecutions.running]).toEqual([0, 0]);
});

test('a forged job for a nonexistent attempt neither displaces the running attempt nor blocks the next one', () => {
  const heldExecutions = new HeldExecutions();
  const signal = heldExecutions.reserve(first);
  heldExecutions.runs(first, 'claimed');
  const forged = { executionId: '1', attempt: 999 };
  heldExecutions.reserve(forged);
  expect(heldExecutions.reserve(second)).toBeDefined();
  heldExecutions.release(forged);
  expect([heldExecutions.has('1'), heldExecutions.claimedRefs]).toEqual([true, [first]]);
  heldExecutions.abortAttempts(heldExecutions.refsOf(['1']), 'canceled');
  expect(signal?.aborted).toBe(true);
});
