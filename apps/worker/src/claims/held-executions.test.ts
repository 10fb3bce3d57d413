import { expect, test } from '@jest/globals';
import { HeldExecutions } from './held-executions.ts';

const first = { executionId: '1', attempt: 1 };
const second = { executionId: '1', attempt: 2 };

test('a second job for the same attempt is rejected', () => {
  const held = new HeldExecutions();
  expect(held.reserve(second)).toBeDefined();
  expect(held.reserve(second)).toBeUndefined();
});

test('an execution that resumes is accepted while its previous attempt is still being released', () => {
  const held = new HeldExecutions();
  held.reserve(first);
  held.runs(first, 'claimed');
  const signal = held.reserve(second);
  held.release(first);
  held.release(first);
  expect(held.has('1')).toBe(true);
  held.abortAttempts([first], 'canceled');
  expect(signal?.aborted).toBe(false);
  expect([held.claimedRefs, held.running]).toEqual([[], 0]);
  held.runs(second, 'unclaimed');
  expect([held.claimedRefs, held.running]).toEqual([[], 1]);
  held.runs(second, 'claimed');
  expect([held.claimedRefs, held.running]).toEqual([[second], 1]);
  held.abortAttempts(held.refsOf(['1']), 'canceled');
  expect(signal?.reason).toMatchObject({ abortCause: 'canceled' });
  held.release(second);
  expect([held.size, held.running]).toEqual([0, 0]);
});

test('a forged job for a nonexistent attempt neither displaces the running attempt nor blocks the next one', () => {
  const held = new HeldExecutions();
  const signal = held.reserve(first);
  held.runs(first, 'claimed');
  const forged = { executionId: '1', attempt: 999 };
  held.reserve(forged);
  expect(held.reserve(second)).toBeDefined();
  held.release(forged);
  expect([held.has('1'), held.claimedRefs]).toEqual([true, [first]]);
  held.abortAttempts(held.refsOf(['1']), 'canceled');
  expect(signal?.aborted).toBe(true);
});
