import { setTimeout as delay } from 'node:timers/promises';
import { expect, jest, test } from '@jest/globals';
import type { Claim, ClaimedExecution } from '@sluice/db';
import { eventually } from '@sluice/test-support';
import { ExecutionClaims } from './execution-claims.ts';
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
  let next: AbortSignal | undefined;
  const waitAndResume = async () => {
    inFlightExecutions.release(claimed);
    next = inFlightExecutions.reserve({ executionId: '1', attempt: 2 });
    await delay(60);
    return 'suspended' as const;
  };
  await claims.claimAndRun(claimed, waitAndResume, { closing: new AbortController().signal });
  expect(next?.aborted).toBe(false);
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
  const [handBack, run, onClaimed] = [jest.fn(async (_: Claim) => true), jest.fn(async () => 'finished' as const), jest.fn()];
  const claims = new ExecutionClaims({
    recorder: { claim, runUnclaimed: async () => undefined },
    computingGraphs: { refOf: () => undefined },
    inFlightExecutions,
    limits: { claim: async () => undefined, released: async () => undefined },
    handover: { handOver: async () => undefined, handBack },
    progress: { changed: () => undefined },
  });
  await expect(claims.claimAndRun(claimed, run, { closing: closing.signal, onClaimed })).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
  });
  expect(handBack).toHaveBeenCalledWith(claimed);
  expect([run, onClaimed].flatMap(({ mock }) => mock.calls)).toEqual([]);
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
  const claimAndRun = (run: Parameters<ExecutionClaims['claimAndRun']>[1], options: { mustClaim?: boolean } = {}) =>
    claims.claimAndRun(ref, run, { closing: new AbortController().signal, ...options });
  return { claim, inFlightExecutions, claimAndRun, handBack, changed };
}

test('a short execution that only computes ends unclaimed', async () => {
  const { claim, inFlightExecutions, claimAndRun, handBack } = unclaimed({ isFree: true });
  await claimAndRun(async (_, signal, late) => {
    expect([inFlightExecutions.running, inFlightExecutions.claimedRefs, signal.aborted]).toEqual([1, [], false]);
    expect(await late.unclaimedSince()).toEqual({ unclaimedSince: 'now' });
    return 'finished';
  });
  expect([claim, handBack].flatMap(({ mock }) => mock.calls)).toEqual([]);
});

test('an execution that only computes is claimed before it runs while others take turns', async () => {
  const { claim, claimAndRun } = unclaimed({ isFree: true });
  await claimAndRun(async () => 'finished', { mustClaim: true });
  expect(claim).toHaveBeenCalledTimes(1);
});

test('a longer execution that only computes is claimed while it runs, and its followers see that', async () => {
  const { claim, inFlightExecutions, claimAndRun, handBack, changed } = unclaimed({ isFree: true });
  await claimAndRun(async (_, signal, late) => {
    await eventually(() => expect(inFlightExecutions.claimedRefs).toHaveLength(1));
    expect([inFlightExecutions.running, signal.aborted, await late.unclaimedSince()]).toEqual([1, false, {}]);
    await late.ensure();
    return 'relinquished';
  });
  expect(claim.mock.calls).toEqual([[expect.objectContaining({ unclaimedSince: 'now' })]]);
  expect(changed.mock.calls).toEqual([['1']]);
  expect(handBack).not.toHaveBeenCalled();
});

test('an unclaimed execution that was stopped, or that another worker has claimed, is aborted', async () => {
  const { claimAndRun } = unclaimed({ isFree: false });
  await claimAndRun(async (_, signal, late) => {
    await eventually(() => expect(signal.aborted).toBe(true));
    expect(signal.reason).toMatchObject({ abortCause: 'canceled' });
    await expect(late.ensure()).rejects.toMatchObject({ code: 'EXECUTION_LOST' });
    expect(await late.unclaimedSince()).toEqual({});
    return 'relinquished';
  });
});

test('the job of an unclaimed execution whose end was refused returns to the queue', async () => {
  const { claimAndRun, handBack } = unclaimed({ isFree: true });
  await claimAndRun(async () => 'relinquished');
  expect(handBack.mock.calls).toEqual([[expect.objectContaining({ executionId: '1', unclaimedSince: 'now' })]]);
});
