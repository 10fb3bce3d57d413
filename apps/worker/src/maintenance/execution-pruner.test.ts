import { expect, test } from '@jest/globals';
import type { RetentionRange } from '@sluice/db';
import type { Logger } from '@sluice/logger';
import { ExecutionPruner } from './execution-pruner.ts';

/** A pruner for ranges with this many batches each. */
function aPruner(aged: readonly number[], excess: readonly number[]) {
  const deleted: string[] = [];
  const rests: number[] = [];
  const ranges = (kind: string, batches: readonly number[]) =>
    batches.map((count, i) => ({ where: `${kind} ${i}`, beforeId: String(count) }) as unknown as RetentionRange);
  const pruner: ExecutionPruner = new ExecutionPruner({
    executionRetention: {
      listAged: async () => ranges('aged', aged),
      listExcess: async () => ranges('excess', excess),
      async deleteSome({ where, beforeId }, afterId) {
        deleted.push(`${where} after ${afterId}`);
        const next = Number(afterId) + 1;
        return next < Number(beforeId) ? String(next) : undefined;
      },
    },
    logger: undefined as unknown as Logger,
    pause: async (ms) => void rests.push(ms),
  });
  return { pruner, deleted, rests };
}

test('a round deletes each range in batches, with a pause between batches', async () => {
  const { pruner, deleted, rests } = aPruner([3, 1], [2]);
  await pruner.round();
  expect(deleted).toEqual([
    'aged 0 after 0',
    'aged 0 after 1',
    'aged 0 after 2',
    'aged 1 after 0',
    'excess 0 after 0',
    'excess 0 after 1',
  ]);
  expect(rests).toHaveLength(3);
});

test('executions are pruned by count in every fifth round', async () => {
  const { pruner, deleted } = aPruner([], [1]);
  for (let round = 0; round < 11; round++) await pruner.round();
  expect(deleted).toHaveLength(3);
});

test('a stopped pruner deletes no further batch', async () => {
  const { pruner, deleted } = aPruner([3], [3]);
  await pruner.stop();
  await pruner.round();
  expect(deleted).toEqual([]);
});
