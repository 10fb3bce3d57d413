import { expect, jest, test } from '@jest/globals';
import type { NewWait } from '@sluice/db';
import { UnavailableError } from '@sluice/domain';
import { Suspender, type SuspenderOptions } from './suspender.ts';

test('a database outage does not prolong a wait until a given time', async () => {
  const waitMs: (number | undefined)[] = [];
  const suspend = async (wait: NewWait) => {
    waitMs.push(wait.waitMs);
    if (waitMs.length < 3) throw new UnavailableError('away');
    return { first: undefined };
  };
  const clock = { expect: jest.fn() };
  const options = { executionWaits: { suspend }, workerId: () => 'w', clock } as unknown as SuspenderOptions;
  const suspended = { nodeName: 'Wait', runIndex: 0, startTime: 0, tryNumber: 1 };
  await new Suspender(options).suspend(
    { executionId: '1', attempt: 1 } as never,
    { status: 'waiting', suspension: { kind: 'time', at: Date.now() + 60_000 }, suspended } as never,
    { resumeToken: 'token', startedByForm: false } as never,
    new AbortController().signal,
  );
  const [first = 0, second = 0, third = 0] = waitMs;
  expect([first - second, second - third].every((passed) => passed > 100)).toBe(true);
  expect(clock.expect).toHaveBeenCalledWith(third);
});
