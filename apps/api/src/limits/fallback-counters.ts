import { errorMessage, within } from '@sluice/domain';
import type { Logger } from '@sluice/logger';
import type { Bucket, Count, Counters } from './counters.ts';

/** Maximum wait for the shared counters, in milliseconds. */
const patienceMs = 500;

interface FallbackCountersOptions {
  shared: Counters;
  own: Counters;
  /** Whether the shared counters can be reached. */
  redisWatch: { readonly up: boolean };
  logger: Logger;
}

/**
 * The shared counters, or this process's counters while the shared counters are unavailable. Never
 * fails or hangs a request.
 */
export class FallbackCounters implements Counters {
  readonly #options: FallbackCountersOptions;
  #away = false;

  constructor(options: FallbackCountersOptions) {
    this.#options = options;
  }

  async count(buckets: readonly Bucket[]): Promise<Count[]> {
    const { shared, own, redisWatch } = this.#options;
    if (!redisWatch.up) return this.#fallBack(own.count(buckets), 'redis cannot be reached');
    try {
      const counts = await within(patienceMs, shared.count(buckets));
      if (!counts) throw new Error('redis does not respond');
      if (this.#away) this.#options.logger.info('rate limits are shared again');
      this.#away = false;
      return counts;
    } catch (error) {
      return this.#fallBack(own.count(buckets), errorMessage(error));
    }
  }

  #fallBack(counts: Promise<Count[]>, error: string): Promise<Count[]> {
    if (!this.#away) this.#options.logger.warn({ error }, 'rate limits are counted by this process alone');
    this.#away = true;
    return counts;
  }
}
