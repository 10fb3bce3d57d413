import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { type ExecutionStatus, UnavailableError } from '@sluice/domain';
import { createLogger } from '@sluice/logger';
import { EndWaiter } from './end-waiter.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

test('a wait for the end of an execution continues while the database is unreachable, and stops with the listener', async () => {
  const stored = new Map<string, ExecutionStatus>([['1', 'running']]);
  let isUp = false;
  const waiter = new EndWaiter({
    sourceStarts: {
      async statuses() {
        if (isUp) return stored;
        throw new UnavailableError('away');
      },
    },
    subscribe: () => undefined,
    logger: createLogger({ name: 'test', level: 'silent' }),
  });
  const listener = new AbortController();
  const settled = jest.fn();
  waiter.ended('1', listener.signal).then(settled, settled);
  const aborted = waiter.ended('1', AbortSignal.abort()).catch((error: unknown) => (error as Error).name);
  await jest.advanceTimersByTimeAsync(5_000);
  expect(settled).not.toHaveBeenCalled();
  expect(await aborted).toBe('AbortError');

  isUp = true;
  stored.set('1', 'success');
  await jest.advanceTimersByTimeAsync(2_000);
  expect(settled).toHaveBeenCalledWith('success');
  waiter.stop();
});
