import type { ExpiredRowRepository } from '@sluice/db';
import { errorMessage } from '@sluice/domain';
import type { Logger } from '@sluice/logger';
import { inBatches } from './in-batches.ts';
import { repeatedly } from './repeatedly.ts';

export interface HousekeeperOptions {
  expiredRows: Pick<
    ExpiredRowRepository,
    'deleteIdempotencyKeys' | 'deleteWebhookKeys' | 'deleteTestUrls' | 'deleteConsents' | 'deleteAuditLines'
  >;
  /** Days for which lines of the audit log are kept; 0: no limit. */
  auditRetentionDays: number;
  logger: Logger;
}

const pauseMs = 60_000;
/** Maximum batches of each kind per round, so that the database is never busy with it for long. */
const maxBatches = 20;

/**
 * Deletes expired rows, once a minute. Runs in all workers concurrently: each row is deleted by one
 * of them.
 */
export class Housekeeper {
  readonly #options: HousekeeperOptions;
  readonly #stopping = new AbortController();

  constructor(options: HousekeeperOptions) {
    this.#options = options;
  }

  start(): void {
    repeatedly(() => this.tidy(), {
      pauseMs,
      signal: this.#stopping.signal,
      onError: (error) => this.#options.logger.warn({ error: errorMessage(error) }, 'housekeeping failed'),
    });
  }

  stop(): void {
    this.#stopping.abort();
  }

  /** Runs one round. */
  async tidy(): Promise<void> {
    const { expiredRows, auditRetentionDays } = this.#options;
    await this.#inBatches(() => expiredRows.deleteIdempotencyKeys());
    await this.#inBatches(() => expiredRows.deleteWebhookKeys());
    await this.#inBatches(() => expiredRows.deleteTestUrls());
    await this.#inBatches(() => expiredRows.deleteConsents());
    if (auditRetentionDays > 0) await this.#inBatches(() => expiredRows.deleteAuditLines(auditRetentionDays));
  }

  #inBatches(deleteBatch: () => Promise<boolean>): Promise<void> {
    return inBatches(deleteBatch, { max: maxBatches, signal: this.#stopping.signal });
  }
}
