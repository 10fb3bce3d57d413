import { expect, jest, test } from '@jest/globals';
import { Sweeper, type SweeperOptions } from './sweeper.ts';

const stranded = { executionId: '1', attempt: 1 };

/**
 * Runs one sweep with a queue, with or without jobs, and a database with one unclaimed execution.
 */
async function sweep({ isEmpty, packages = [], recent = [] }: { isEmpty: boolean; packages?: string[]; recent?: number[] }) {
  const looks: unknown[] = [];
  const takeStranded = jest.fn(async (_olderThanMs: number, _limit: number, _shards: object) => [stranded]);
  const enqueueAll = jest.fn(async (_refs: object[]) => undefined);
  const options = {
    workers: {
      reapDead: async () => [],
      endOverdue: async () => [],
      takeStranded,
    },
    executionMoves: { moveSome: async () => false },
    followUps: { sweep: async () => undefined },
    executionLimits: { recount: async () => undefined },
    discardedExecutions: { deleteSome: async () => false },
    storageQuotas: { addUp: async () => false },
    queue: {
      listEmptyShards: async () => (isEmpty ? [0] : []),
      enqueueAll,
      dropUnread: async () => void looks.push('drop'),
      undoLimits: async () => [],
      noteReader: async (...of: unknown[]) => void looks.push(of),
    },
    packages,
    shardCount: 2,
    recentlyEmptyShards: (ms: number) => (ms === 5_000 ? recent : []),
    cancel: { publish: async () => undefined },
    ended: { publish: async () => undefined },
    lease: { steadyAt: undefined, beatMs: 1_000 },
    logger: { info: () => undefined, warn: () => undefined },
  };
  await new Sweeper(options as unknown as SweeperOptions).round();
  expect(looks).toEqual([[packages, 6_000], 'drop']);
  const taken = takeStranded.mock.calls.map(([olderThanMs, _, shards]) => [olderThanMs, shards]);
  return { taken, enqueued: enqueueAll.mock.calls.flat() };
}

test('the announcement of the queues that a worker reads outlives the sweep interval', async () => {
  await sweep({ isEmpty: true, packages: ['acme'] });
});

test.each([
  ['is empty', { isEmpty: true }, [0]],
  ['was empty in the last 5 s', { isEmpty: false, recent: [1] }, [1]],
])('if a shard of the queue %s, its executions that have waited for 10 s are enqueued again', async (_, queue, numbers) => {
  expect(await sweep(queue)).toEqual({ taken: [[10_000, { count: 2, numbers }]], enqueued: [[stranded]] });
});

test('no job is added while the queue has jobs, since workers choose the oldest executions', async () => {
  expect(await sweep({ isEmpty: false })).toEqual({ taken: [], enqueued: [] });
});
