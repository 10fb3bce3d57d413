import { describe, expect, jest, test } from '@jest/globals';
import { createLogger } from '@sluice/logger';
import { Housekeeper } from './housekeeper.ts';

const logger = createLogger({ name: 'test', level: 'silent' });

/** Tables that have this many full batches of old rows. */
function tables(batches: number) {
  const deleting = () => {
    let remaining = batches;
    return jest.fn(async (_days?: number) => {
      remaining -= 1;
      return remaining >= 0;
    });
  };
  return {
    deleteIdempotencyKeys: deleting(),
    deleteWebhookKeys: deleting(),
    deleteTestUrls: deleting(),
    deleteConsents: deleting(),
    deleteEventDeliveries: deleting(),
    deleteChatSessions: deleting(),
    deleteDataTableRows: deleting(),
    deleteAiUsages: deleting(),
    deleteAuditLines: deleting(),
    deleteUnusedGraphs: deleting(),
  };
}

describe('Housekeeper', () => {
  test('continues until a batch is not full', async () => {
    const expiredRows = tables(2);
    await new Housekeeper({ expiredRows, chatRetentionDays: 7, auditRetentionDays: 30, logger }).round();
    expect(Object.values(expiredRows).map(({ mock }) => mock.calls.length)).toEqual([3, 3, 3, 3, 3, 3, 3, 3, 3, 3]);
    expect(expiredRows.deleteChatSessions).toHaveBeenCalledWith(7);
    expect(expiredRows.deleteAuditLines).toHaveBeenCalledWith(30);
  });

  test('deletes audit entries only if their retention is limited', async () => {
    const expiredRows = tables(1);
    await new Housekeeper({ expiredRows, chatRetentionDays: 7, auditRetentionDays: 0, logger }).round();
    expect(expiredRows.deleteAuditLines).not.toHaveBeenCalled();
  });

  test('deletes a limited number of batches per round, and none after it is stopped', async () => {
    const expiredRows = tables(1_000);
    const housekeeper = new Housekeeper({ expiredRows, chatRetentionDays: 7, auditRetentionDays: 0, logger });
    await housekeeper.round();
    expect(expiredRows.deleteIdempotencyKeys).toHaveBeenCalledTimes(40);
    await housekeeper.stop();
    await housekeeper.round();
    expect(expiredRows.deleteIdempotencyKeys).toHaveBeenCalledTimes(40);
  });
});
