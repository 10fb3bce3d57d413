import { setTimeout as sleep } from 'node:timers/promises';
import { expect, jest, test } from '@jest/globals';
import type { AttemptRef, ClaimedExecution } from '@sluice/db';
import { ExecutionClaims } from './execution-claims.ts';
import { HeldExecutions } from './held-executions.ts';

test('the deadline of an attempt does not end the next attempt, which this worker already runs', async () => {
  const claimed = { executionId: '1', attempt: 1, remainingMs: 20, limitIds: [] as number[] } as unknown as ClaimedExecution;
  const held = new HeldExecutions();
  const claims = new ExecutionClaims({
    recorder: { claim: async () => claimed },
    held,
    limits: { claim: async () => undefined, left: async () => undefined },
    handover: { handOver: async () => undefined, handBack: async () => undefined },
  });
  let next: AbortSignal | undefined;
  const waitAndResume = async (): Promise<void> => {
    held.release(claimed);
    next = held.reserve({ executionId: '1', attempt: 2 });
    await sleep(60);
  };
  await claims.hold(claimed, waitAndResume, { closing: new AbortController().signal });
  expect(next?.aborted).toBe(false);
});

test('an execution whose claim completes after the worker has closed is handed back to other workers', async () => {
  const claimed = { executionId: '1', attempt: 1, remainingMs: null, limitIds: [] as number[] } as unknown as ClaimedExecution;
  const closing = new AbortController();
  const held = new HeldExecutions();
  const claim = async () => {
    held.abortAll('shutdown');
    closing.abort();
    return claimed;
  };
  const [handBack, run, onClaimed] = [jest.fn(async (_: AttemptRef) => undefined), jest.fn(async () => undefined), jest.fn()];
  const claims = new ExecutionClaims({
    recorder: { claim },
    held,
    limits: { claim: async () => undefined, left: async () => undefined },
    handover: { handOver: async () => undefined, handBack },
  });
  await expect(claims.hold(claimed, run, { closing: closing.signal, onClaimed })).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
  });
  expect(handBack).toHaveBeenCalledWith(claimed);
  expect([run, onClaimed].flatMap(({ mock }) => mock.calls)).toEqual([]);
  expect(held.size).toBe(0);
});
