import { errorMessage, within } from '@sluice/domain';
import type { Logger } from '@sluice/logger';
import { type ClientRateLimitInfo, MemoryStore, type Options } from 'express-rate-limit';

/** Counter for the requests of one sender and one kind. */
export interface Bucket {
  key: string;
  /** Requests allowed in a window. */
  max: number;
}

/** Requests in the current window, this one included, and the end of the window. */
export type Count = ClientRateLimitInfo & { resetTime: Date };

/** Fixed windows, each started by the first request of a bucket. */
export interface Counters {
  /**
   * Counts one request in each bucket up to the first full one. Later buckets are neither counted
   * nor returned.
   */
  count(buckets: readonly Bucket[]): Promise<Count[]>;
}

/** Number of buckets at which those without a recent request are dropped. */
const maxRecent = 25_000;

/** Counters of this process alone, for a bounded number of buckets. */
export class MemoryCounters implements Counters {
  readonly #store = new MemoryStore();

  constructor({ windowMs }: Pick<Options, 'windowMs'>) {
    this.#store.init({ windowMs } as Options);
  }

  async count(buckets: readonly Bucket[]): Promise<Count[]> {
    const counts: Count[] = [];
    for (const { key, max } of buckets) {
      const count = this.#hit(key);
      counts.push(count);
      if (count.totalHits > max) break;
    }
    return counts;
  }

  #hit(key: string): Count {
    const store = this.#store;
    if (store.current.size >= maxRecent) [store.previous, store.current] = [store.current, new Map()];
    void store.increment(key); // its result is the bucket itself, which concurrent requests also change
    return { ...(store.current.get(key) as Count) };
  }
}

/** Maximum wait for the shared counters, in milliseconds. */
const patienceMs = 500;

interface FallbackCountersOptions {
  shared: Counters;
  local: Counters;
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
    const { shared, local, redisWatch } = this.#options;
    if (!redisWatch.up) return this.#fallBack(local.count(buckets), 'redis cannot be reached');
    try {
      const counts = await within(patienceMs, shared.count(buckets));
      if (!counts) throw new Error('redis does not respond');
      if (this.#away) this.#options.logger.info('rate limits are shared again');
      this.#away = false;
      return counts;
    } catch (error) {
      return this.#fallBack(local.count(buckets), errorMessage(error));
    }
  }

  #fallBack(counts: Promise<Count[]>, error: string): Promise<Count[]> {
    if (!this.#away) this.#options.logger.warn({ error }, 'rate limits are counted by this process alone');
    this.#away = true;
    return counts;
  }
}
