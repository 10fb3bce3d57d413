import { expect, jest, test } from '@jest/globals';
import { Sweeper, type SweeperOptions } from './sweeper.ts';

const stranded = { executionId: '1', attempt: 1 };

/**
 * One sweep over a queue with `jobs` jobs, and a database in which `unclaimed` executions should have
 * one.
 */
async function sweep({ jobs, unclaimed }: { jobs: number; unclaimed: number }, packages: string[] = []) {
  const looks: unknown[] = [];
  const takeStranded = jest.fn(async (_olderThanMs: number, _limit: number) => [stranded]);
  const enqueueAll = jest.fn(async (_refs: object[]) => undefined);
  const options = {
    workers: {
      reapDead: async () => [],
      endOverdue: async () => [],
      countUnclaimed: async (_: number, limit: number) => Math.min(unclaimed, limit),
      takeStranded,
    },
    executionMoves: { moveSome: async () => false },
    followUps: { sweep: async () => undefined },
    discardedExecutions: { deleteSome: async () => false },
    storageQuota: { addUp: async () => false },
    queue: {
      countJobs: async () => jobs,
      enqueueAll,
      dropUnread: async () => void looks.push('drop'),
      undoLimits: async () => [],
      noteReader: async (...of: unknown[]) => void looks.push(of),
    },
    packages,
    cancel: { publish: async () => undefined },
    ended: { publish: async () => undefined },
    lease: { steadyAt: undefined, beatMs: 1_000 },
    logger: { info: () => undefined, warn: () => undefined },
  };
  await new Sweeper(options as unknown as SweeperOptions).round();
  expect(enqueueAll).toHaveBeenCalledWith([stranded]);
  expect(looks).toEqual([[packages, 6_000], 'drop']);
  return takeStranded.mock.calls.map(([olderThanMs]) => olderThanMs);
}

test('a worker announces, for longer than a sweep interval, whose queues it reads', async () => {
  expect(await sweep({ jobs: 1, unclaimed: 1 }, ['acme'])).toEqual([60_000]);
});

test('if jobs are missing, executions that have waited for 10 s are enqueued again', async () => {
  expect(await sweep({ jobs: 2, unclaimed: 3 })).toEqual([10_000]);
});

test('a backlog with a job for each execution is left alone, except executions that have waited for a minute', async () => {
  expect(await sweep({ jobs: 3, unclaimed: 3 })).toEqual([60_000]);
});
