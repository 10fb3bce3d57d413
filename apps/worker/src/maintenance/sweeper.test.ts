import { expect, jest, test } from '@jest/globals';
import { Sweeper, type SweeperOptions } from './sweeper.ts';

const stranded = { executionId: '1', attempt: 1 };

/**
 * Runs one sweep with a queue, with or without jobs, and a database with one unclaimed execution.
 */
async function sweep({ isEmpty, packages = [] }: { isEmpty: boolean; packages?: string[] }) {
  const looks: unknown[] = [];
  const takeStranded = jest.fn(async (_olderThanMs: number, _limit: number) => [stranded]);
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
      isEmpty: async () => isEmpty,
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
  expect(looks).toEqual([[packages, 6_000], 'drop']);
  return { olderThanMs: takeStranded.mock.calls.map(([olderThanMs]) => olderThanMs), enqueued: enqueueAll.mock.calls.flat() };
}

test('the announcement of the queues that a worker reads outlives the sweep interval', async () => {
  await sweep({ isEmpty: true, packages: ['acme'] });
});

test('if the queue is empty, executions that have waited for 10 s are enqueued again', async () => {
  expect(await sweep({ isEmpty: true })).toEqual({ olderThanMs: [10_000], enqueued: [[stranded]] });
});

test('no job is added while the queue has jobs, since workers choose the oldest executions', async () => {
  expect(await sweep({ isEmpty: false })).toEqual({ olderThanMs: [], enqueued: [] });
});
