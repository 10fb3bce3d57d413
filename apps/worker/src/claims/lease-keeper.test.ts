import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { AttemptRef, WorkerRepository } from '@sluice/db';
import { InFlightExecutions } from './in-flight-executions.ts';
import { LeaseKeeper } from './lease-keeper.ts';

const leaseMs = 3_000;
const beatMs = 1_000;

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** A started keeper whose database assigns `claimed` to this worker. */
async function aKeeper({ claimed = [] as string[] } = {}) {
  const registered: string[] = [];
  const rows = new Set<string>();
  const workers = {
    register: jest.fn(async ({ id }: { id: string }) => {
      registered.push(id);
      rows.add(id);
    }),
    renew: jest.fn(async (id: string) => (rows.has(id) ? new Date() : undefined)),
    listClaimed: jest.fn(async () => claimed.map((executionId) => ({ executionId, attempt: 1 }))),
    crashForgotten: jest.fn(async (_: string, refs: readonly AttemptRef[]) => refs.map(({ executionId }) => executionId)),
    release: jest.fn(async (id: string) => void rows.delete(id)),
  };
  const inFlightExecutions = new InFlightExecutions();
  const logger = { info: () => undefined, warn: () => undefined, error: () => undefined, debug: () => undefined };
  const keptLeases: (string | null)[] = [];
  const keeper = new LeaseKeeper(workers as unknown as WorkerRepository, inFlightExecutions, {
    leaseMs,
    concurrency: 1,
    keepLease: (id) => keptLeases.push(id),
    logger: logger as never,
  });
  await keeper.start();
  return { keeper, workers, inFlightExecutions, rows, registered, keptLeases };
}

test('a reaped worker aborts its executions and continues with a new ID', async () => {
  const { keeper, inFlightExecutions, rows, registered } = await aKeeper();
  const before = keeper.workerId;
  const signal = inFlightExecutions.reserve({ executionId: '1', attempt: 1 });
  inFlightExecutions.runs({ executionId: '1', attempt: 1 }, 'claimed');
  rows.clear();
  await jest.advanceTimersByTimeAsync(beatMs);
  expect(signal?.reason).toMatchObject({ abortCause: 'lease-lost' });
  expect(keeper.workerId).not.toBe(before);
  expect(registered).toEqual([before, keeper.workerId]);
  keeper.stop();
});

test('executions whose claim waits for the database are claimed with the new ID', async () => {
  const { keeper, inFlightExecutions, rows } = await aKeeper();
  const signal = inFlightExecutions.reserve({ executionId: '1', attempt: 1 });
  rows.clear();
  await jest.advanceTimersByTimeAsync(beatMs);
  expect(signal?.aborted).toBe(false);
  keeper.stop();
});

test('the thread renews only the lease of the current ID, until it is released', async () => {
  const { keeper, rows, keptLeases } = await aKeeper();
  const first = keeper.workerId;
  rows.clear();
  await jest.advanceTimersByTimeAsync(beatMs);
  await keeper.release();
  expect(keptLeases).toEqual([first, keeper.workerId, null]);
});

test('executions that the database assigns to this worker but that it does not run are ended', async () => {
  const { keeper, workers, inFlightExecutions } = await aKeeper({ claimed: ['1', '2'] });
  inFlightExecutions.reserve({ executionId: '1', attempt: 1 });
  inFlightExecutions.runs({ executionId: '1', attempt: 1 }, 'claimed');
  await jest.advanceTimersByTimeAsync(beatMs);
  expect(workers.crashForgotten.mock.calls).toEqual([[keeper.workerId, [{ executionId: '2', attempt: 1 }]]]);
  keeper.stop();
});

test('a release waits for a heartbeat in progress and leaves no lease', async () => {
  const { keeper, workers, rows, registered } = await aKeeper();
  const renewal = Promise.withResolvers<undefined>();
  workers.renew.mockReturnValueOnce(renewal.promise);
  await jest.advanceTimersByTimeAsync(beatMs);
  const released = keeper.release();
  renewal.resolve(undefined);
  await released;
  await jest.advanceTimersByTimeAsync(leaseMs);
  expect(registered).toHaveLength(1);
  expect(rows.size).toBe(0);
});

describe('expired leases of other workers are reaped', () => {
  test('as of the last renewal, once more than two heartbeats have succeeded', async () => {
    const { keeper } = await aKeeper();
    await jest.advanceTimersByTimeAsync(2 * beatMs);
    expect(keeper.steadyAt).toBeUndefined();
    const renewedAt = new Date(Date.now() + beatMs);
    await jest.advanceTimersByTimeAsync(beatMs * 1.5);
    expect(keeper.steadyAt).toEqual(renewedAt);
    keeper.stop();
  });

  test.each([
    ['has failed', () => Promise.reject(new Error('away'))],
    ['took too long', () => new Promise<Date>((resolve) => setTimeout(() => resolve(new Date()), beatMs + 1))],
    ['found the database clock set forward', async () => new Date(Date.now() + leaseMs)],
  ])('not until more than two later heartbeats have succeeded if one %s', async (_, response) => {
    const { keeper, workers } = await aKeeper();
    await jest.advanceTimersByTimeAsync(3 * beatMs);
    expect(keeper.steadyAt).toBeDefined();
    workers.renew.mockImplementationOnce(response);
    await jest.advanceTimersByTimeAsync(2 * beatMs + 1);
    expect(keeper.steadyAt).toBeUndefined();
    await jest.advanceTimersByTimeAsync(4 * beatMs);
    expect(keeper.steadyAt).toBeDefined();
    keeper.stop();
  });
});
