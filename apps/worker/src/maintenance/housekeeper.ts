import type { ExpiredRowRepository } from '@sluice/db';
import type { Logger } from '@sluice/logger';
import { PeriodicService, type Rounds } from '../periodic-service.ts';

interface HousekeeperOptions {
  expiredRows: Pick<ExpiredRowRepository, keyof ExpiredRowRepository>;
  /** Days after its last change for which a conversation is kept. */
  chatRetentionDays: number;
  /** Days for which lines of the audit log are kept; 0: no limit. */
  auditRetentionDays: number;
  logger: Logger;
}

const pauseMs = 60_000;

/**
 * Deletes expired rows, once a minute. Runs in all workers concurrently: each row is deleted by one
 * of them.
 */
export class Housekeeper extends PeriodicService<HousekeeperOptions> {
  protected get rounds(): Rounds {
    return { pauseMs, failure: 'housekeeping failed' };
  }

  async round(): Promise<void> {
    const { expiredRows, auditRetentionDays, chatRetentionDays } = this.options;
    await this.inBatches(() => expiredRows.deleteIdempotencyKeys());
    await this.inBatches(() => expiredRows.deleteWebhookKeys());
    await this.inBatches(() => expiredRows.deleteTestUrls());
    await this.inBatches(() => expiredRows.deleteConsents());
    await this.inBatches(() => expiredRows.deleteEventDeliveries());
    await this.inBatches(() => expiredRows.deleteChatSessions(chatRetentionDays));
    await this.inBatches(() => expiredRows.deleteDataTableRows());
    await this.inBatches(() => expiredRows.deleteAiUsages());
    if (auditRetentionDays > 0) await this.inBatches(() => expiredRows.deleteAuditLines(auditRetentionDays));
    await this.inBatches(() => expiredRows.deleteUnusedGraphs());
  }
}
