import type { AttemptRef } from '@sluice/db';
import { type ExecutionId, errorMessage, GroupCommit } from '@sluice/domain';
import type { Logger } from '@sluice/logger';
import type { InFlightExecutions } from './in-flight-executions.ts';

interface CancelCheckOptions {
  /**
   * For each ref, in order: whether the attempt is over because its execution ended, continues as
   * another attempt, or was deleted.
   */
  areOver(refs: AttemptRef[]): Promise<boolean[]>;
  inFlightExecutions: Pick<InFlightExecutions, 'refsOf' | 'abortAttempts'>;
  logger: Logger;
}

/**
 * Aborts canceled executions. A `cancel` signal is only a hint: Postgres decides, so a repeated or
 * late signal aborts nothing that should still run. Concurrent checks share one query; without the
 * database, the next lease renewal finds canceled executions.
 */
export class CancelCheck {
  readonly #options: CancelCheckOptions;
  readonly #reads: GroupCommit<AttemptRef, boolean>;

  constructor(options: CancelCheckOptions) {
    this.#options = options;
    this.#reads = new GroupCommit((refs) => options.areOver(refs));
  }

  /** Never rejects. */
  async check(ids: readonly ExecutionId[]): Promise<void> {
    const { inFlightExecutions, logger } = this.#options;
    const abortIfOver = async (ref: AttemptRef) => {
      if (await this.#reads.add(ref)) inFlightExecutions.abortAttempts([ref], 'canceled');
    };
    await Promise.all(inFlightExecutions.refsOf(ids).map(abortIfOver)).catch((error: unknown) => {
      logger.warn({ error: errorMessage(error) }, 'cannot check for canceled executions; the next lease renewal will');
    });
  }
}
