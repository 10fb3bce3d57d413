import { setTimeout as delay } from 'node:timers/promises';
import { expect, jest, test } from '@jest/globals';
import type { Claim, ClaimedExecution } from '@sluice/db';
import { eventually } from '@sluice/test-support';
import { ExecutionClaims, type StartedAttempt } from './execution-claims.ts';
import { InFlightExecutions } from './in-flight-executions.ts';

test('the deadline of an attempt does not end the next attempt, which this worker already runs', async () => {
  const claimed = { executionId: '1', attempt: 1, remainingMs: 20, limitIds: [] as number[] } as unknown as ClaimedExecution;
  const inFlightExecutions = new InFlightExecutions();
  const claims = new ExecutionClaims({
    recorder: { claim: async () => claimed, runUnclaimed: async () => undefined },
    computingGraphs: { refOf: () => undefined },
    inFlightExecutions,
    limits: { claim: async () => undefined, released: async () => undefined },
    handover: { handOver: async () => undefined, handBack: async () => true },
    progress: { changed: () => undefined },
  });
  const attempt = (await claims.start(claimed, { closing: new AbortController().signal })) as StartedAttempt;
  inFlightExecutions.release(claimed);
  const next = inFlightExecutions.reserve({ executionId: '1', attempt: 2 });
  await delay(60);
  await claims.end(attempt, { isRelinquished: false });
  expect([attempt.signal.aborted, next?.aborted]).toEqual([false, false]);
});

test('an execution whose claim completes after the worker has closed is handed back to other workers', async () => {
  const claimed = { executionId: '1', attempt: 1, remainingMs: null, limitIds: [] as number[] } as unknown as ClaimedExecution;
  const closing = new AbortController();
  const inFlightExecutions = new InFlightExecutions();
  const claim = async () => {
    inFlightExecutions.abortAll('shutdown');
    closing.abort();
    return claimed;
  };
  const handBack = jest.fn(async (_: Claim) => true);
  const claims = new ExecutionClaims({
    recorder: { claim, runUnclaimed: async () => undefined },
    computingGraphs: { refOf: () => undefined },
    inFlightExecutions,
    limits: { claim: async () => undefined, released: async () => undefined },
    handover: { handOver: async () => undefined, handBack },
    progress: { changed: () => undefined },
  });
  await expect(claims.start(claimed, { closing: closing.signal })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(handBack).toHaveBeenCalledWith(claimed);
  expect(inFlightExecutions.size).toBe(0);
});

/** An execution that may run unclaimed, and that this worker can claim later if `isFree`. */
function unclaimed({ isFree }: { isFree: boolean }) {
  const ref = { executionId: '1', attempt: 1, graphHash: 'h' };
  const execution = {
    ...ref,
    remainingMs: null,
    limitIds: [] as number[],
    unclaimedSince: 'now',
  } as unknown as ClaimedExecution;
  const claim = jest.fn(async (_: Claim) => (isFree ? execution : undefined));
  const inFlightExecutions = new InFlightExecutions();
  const handBack = jest.fn(async (_: Claim) => {
    expect(inFlightExecutions.size).toBe(0);
    return true;
  });
  const changed = jest.fn();
  const claims = new ExecutionClaims({
    recorder: { claim, runUnclaimed: async () => execution },
    computingGraphs: { refOf: () => ref },
    inFlightExecutions,
    limits: { claim: async () => undefined, released: async () => undefined },
    handover: { handOver: async () => undefined, handBack },
    progress: { changed },
  });
  const start = async (options: { mustClaim?: boolean } = {}) =>
    (await claims.start(ref, { closing: new AbortController().signal, ...options })) as StartedAttempt;
  return { claim, inFlightExecutions, start, end: claims.end.bind(claims), handBack, changed };
}

test('a short execution that only computes ends unclaimed', async () => {
  const { claim, inFlightExecutions, start, end, handBack } = unclaimed({ isFree: true });
  const attempt = await start();
  expect([inFlightExecutions.running, inFlightExecutions.claimedRefs, attempt.signal.aborted]).toEqual([1, [], false]);
  expect(await attempt.claim.unclaimedSince()).toEqual({ unclaimedSince: 'now' });
  await end(attempt, { isRelinquished: false });
  expect([claim, handBack].flatMap(({ mock }) => mock.calls)).toEqual([]);
});

test('an execution that only computes is claimed before it runs while others take turns', async () => {
  const { claim, start, end } = unclaimed({ isFree: true });
  const attempt = await start({ mustClaim: true });
  expect(claim).toHaveBeenCalledTimes(1);
  await end(attempt, { isRelinquished: false });
});

test('a longer execution that only computes is claimed while it runs, and its followers see that', async () => {
  const { claim, inFlightExecutions, start, end, handBack, changed } = unclaimed({ isFree: true });
  const attempt = await start();
  await eventually(() => expect(inFlightExecutions.claimedRefs).toHaveLength(1));
  const { signal, claim: late } = attempt;
  expect([inFlightExecutions.running, signal.aborted, await late.unclaimedSince()]).toEqual([1, false, {}]);
  await late.ensure();
  await end(attempt, { isRelinquished: true });
  expect(claim.mock.calls).toEqual([[expect.objectContaining({ unclaimedSince: 'now' })]]);
  expect(changed.mock.calls).toEqual([['1']]);
  expect(handBack).not.toHaveBeenCalled();
});

test('an unclaimed execution that was stopped, or that another worker has claimed, is aborted', async () => {
  const { start, end } = unclaimed({ isFree: false });
  const attempt = await start();
  const { signal, claim: late } = attempt;
  await eventually(() => expect(signal.aborted).toBe(true));
  expect(signal.reason).toMatchObject({ abortCause: 'canceled' });
  await expect(late.ensure()).rejects.toMatchObject({ code: 'EXECUTION_LOST' });
  expect(await late.unclaimedSince()).toEqual({});
  await end(attempt, { isRelinquished: true });
});

test('the job of an unclaimed execution whose end was refused returns to the queue', async () => {
  const { start, end, handBack } = unclaimed({ isFree: true });
  await end(await start(), { isRelinquished: true });
  expect(handBack.mock.calls).toEqual([[expect.objectContaining({ executionId: '1', unclaimedSince: 'now' })]]);
});
