import { afterEach, expect, jest, test } from '@jest/globals';
import { withRegistrationLease } from './registration-lease.ts';

afterEach(() => void jest.useRealTimers());

const lease = { ids: ['1', '2'], heldBy: 'me', leaseMs: 30 };

/** A repository with prepared results, the last of which repeats. */
function returning(...results: (boolean | Error)[]) {
  const calls: unknown[][] = [];
  const extend = async (...of: unknown[]) => {
    const result = results[Math.min(calls.push(of), results.length) - 1];
    if (result instanceof Error) throw result;
    return result === true;
  };
  return { calls, extend };
}

test('the lease is extended during the work and once more at its end', async () => {
  jest.useFakeTimers();
  const registrations = returning(true);
  const { promise: work, resolve: end } = Promise.withResolvers<string>();
  const result = withRegistrationLease(registrations, { ...lease, leaseMs: 3_000 }, () => work);
  await jest.advanceTimersByTimeAsync(3_500);
  expect(registrations.calls).toEqual(Array.from({ length: 3 }, () => [['1', '2'], 'me', 3_000]));
  end('done');
  expect(await result).toBe('done');
  expect(registrations.calls).toHaveLength(4);
  await jest.advanceTimersByTimeAsync(3_500);
  expect(registrations.calls).toHaveLength(4);
});

test.each<[string, (boolean | Error)[], object]>([
  ['another process has them', [true, false], {}],
  ['the database does not respond within a lease', [new Error('away')], {}],
  ['the limit is reached', [true], { limitMs: 60 }],
])('the work is abandoned with a conflict when %s', async (_, results, more) => {
  let signal: AbortSignal | undefined;
  const work = (leaseSignal: AbortSignal) => {
    signal = leaseSignal;
    return new Promise<never>(() => undefined);
  };
  await expect(withRegistrationLease(returning(...results), { ...lease, ...more }, work)).rejects.toMatchObject({
    code: 'CONFLICT',
  });
  expect(signal?.aborted).toBe(true);
});

test('the result of work that ends after another process has taken over is rejected', async () => {
  await expect(
    withRegistrationLease(returning(false), { ...lease, leaseMs: 60_000 }, async () => 'done'),
  ).rejects.toMatchObject({
    code: 'CONFLICT',
  });
});

test('an error in the work is rethrown and stops the extensions', async () => {
  const registrations = returning(true);
  await expect(
    withRegistrationLease(registrations, { ...lease, leaseMs: 60_000 }, async () => Promise.reject(new Error('no'))),
  ).rejects.toThrow('no');
  expect(registrations.calls).toEqual([]);
});
