import { expect, test } from '@jest/globals';
import { InFlightExecutions } from './in-flight-executions.ts';

const first = { executionId: '1', attempt: 1 };
const second = { executionId: '1', attempt: 2 };

test('a second job for the same attempt is rejected', () => {
  const inFlightExecutions = new InFlightExecutions();
  expect(inFlightExecutions.reserve(second)).toBeDefined();
  expect(inFlightExecutions.reserve(second)).toBeUndefined();
});

test('an execution that resumes is accepted while its previous attempt is still being released', () => {
  const inFlightExecutions = new InFlightExecutions();
  inFlightExecutions.reserve(first);
  inFlightExecutions.runs(first, 'claimed');
  const signal = inFlightExecutions.reserve(second);
  inFlightExecutions.release(first);
  inFlightExecutions.release(first);
  expect(inFlightExecutions.has('1')).toBe(true);
  inFlightExecutions.abortAttempts([first], 'canceled');
  expect(signal?.aborted).toBe(false);
  expect([inFlightExecutions.claimedRefs, inFlightExecutions.running]).toEqual([[], 0]);
  inFlightExecutions.runs(second, 'unclaimed');
  expect([inFlightExecutions.claimedRefs, inFlightExecutions.running]).toEqual([[], 1]);
  inFlightExecutions.runs(second, 'claimed');
  expect([inFlightExecutions.claimedRefs, inFlightExecutions.running]).toEqual([[second], 1]);
  inFlightExecutions.abortAttempts(inFlightExecutions.refsOf(['1']), 'canceled');
  expect(signal?.reason).toMatchObject({ abortCause: 'canceled' });
  inFlightExecutions.release(second);
  expect([inFlightExecutions.size, inFlightExecutions.running]).toEqual([0, 0]);
});

test('a forged job for a nonexistent attempt neither displaces the running attempt nor blocks the next one', () => {
  const inFlightExecutions = new InFlightExecutions();
  const signal = inFlightExecutions.reserve(first);
  inFlightExecutions.runs(first, 'claimed');
  const forged = { executionId: '1', attempt: 999 };
  inFlightExecutions.reserve(forged);
  expect(inFlightExecutions.reserve(second)).toBeDefined();
  inFlightExecutions.release(forged);
  expect([inFlightExecutions.has('1'), inFlightExecutions.claimedRefs]).toEqual([true, [first]]);
  inFlightExecutions.abortAttempts(inFlightExecutions.refsOf(['1']), 'canceled');
  expect(signal?.aborted).toBe(true);
});
