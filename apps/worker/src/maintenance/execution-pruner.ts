import type { ExecutionRetentionRepository, RetentionRange } from '@sluice/db';
import { pause } from '@sluice/domain';
import type { Logger } from '@sluice/logger';
import { PeriodicService, type Rounds } from '../periodic-service.ts';

interface ExecutionPrunerOptions {
  executionRetention: Pick<ExecutionRetentionRepository, 'listAged' | 'listExcess' | 'deleteSome'>;
  logger: Logger;
  /** Resolves after this many milliseconds, or when the signal fires; default: a timer. */
  pause?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

const pauseMs = 60_000;
/**
 * Counting reads an index entry for each kept execution, so it happens only once in this many
 * rounds.
 */
const roundsPerCount = 5;
/**
 * Pause after each batch, as a multiple of the batch's duration: pruning uses at most a third of
 * one connection.
 */
const restFactor = 2;

/**
 * Deletes ended executions according to the retention settings, once a minute. Runs in every
 * worker; one batch is deleted at a time.
 */
export class ExecutionPruner extends PeriodicService<ExecutionPrunerOptions> {
  #rounds = 0;

  protected get rounds(): Rounds {
    return { pauseMs, failure: 'executions not pruned' };
  }

  /** Runs one round: deletes everything that is due now. */
  async round(): Promise<void> {
    const { executionRetention } = this.options;
    for (const range of await executionRetention.listAged()) await this.#pruneRange(range);
    const counts = this.#rounds % roundsPerCount === 0;
    this.#rounds += 1;
    for (const range of counts ? await executionRetention.listExcess() : []) await this.#pruneRange(range);
  }

  async #pruneRange(range: RetentionRange): Promise<void> {
    const { executionRetention, pause: rest = pause } = this.options;
    const signal = this.stopping;
    let afterId: Parameters<ExecutionRetentionRepository['deleteSome']>[1] | undefined = '0';
    while (!signal.aborted) {
      const beganAt = performance.now();
      afterId = await executionRetention.deleteSome(range, afterId);
      if (afterId === undefined) return;
      await rest(restFactor * (performance.now() - beganAt), signal);
    }
  }
}
