import { describe, expect, jest, test } from '@jest/globals';
import { createLogger } from '@sluice/logger';
import { StatisticsKeeper } from './statistics-keeper.ts';

const logger = createLogger({ name: 'test', level: 'silent' });

function keeper(batches: number) {
  let remaining = batches;
  const rollUp = jest.fn(async (_sinceMs: number) => {
    remaining -= 1;
    return remaining > 0;
  });
  const deleteOld = jest.fn(async () => false);
  return { rollUp, deleteOld, statistics: new StatisticsKeeper({ statisticsRollUps: { rollUp, deleteOld }, logger }) };
}

describe('StatisticsKeeper', () => {
  test('skips a pass after a recent pass of another worker, and continues its own', async () => {
    const { rollUp, deleteOld, statistics } = keeper(3);
    await statistics.round();
    expect(rollUp.mock.calls.map(([sinceMs]) => sinceMs > 0)).toEqual([true, false, false]);
    expect(deleteOld).toHaveBeenCalledTimes(1);
  });

  test('processes a limited number of batches per round', async () => {
    const { rollUp, statistics } = keeper(1_000);
    await statistics.round();
    expect(rollUp).toHaveBeenCalledTimes(40);
  });
});
