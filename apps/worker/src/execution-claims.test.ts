import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import type { ClaimedExecution } from '@sluice/db';
import { ExecutionClaims } from './execution-claims.ts';
import { HeldExecutions } from './held-executions.ts';

test('the deadline of an attempt does not end the next one, which this worker holds already', async () => {
  const claimed = { executionId: '1', attempt: 1, remainingMs: 20, limitIds: [] as number[] } as unknown as ClaimedExecution;
  const held = new HeldExecutions();
  const claims = new ExecutionClaims({
    recorder: { claim: async () => claimed },
    held,
    limits: { claim: async () => undefined, left: async () => undefined },
    handover: { handOver: async () => undefined },
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
