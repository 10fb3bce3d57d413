import QuickLRU from 'quick-lru';

export interface ShortCacheOptions {
  /** How long entries are kept, in milliseconds. */
  ms: number;
  /**
   * Minimum number of entries kept before the oldest are dropped; at most twice as many are kept.
   */
  maxEntries?: number;
  /** Monotonic clock in milliseconds. */
  now?: () => number;
}

/**
 * Caches costly results briefly, so that equal concurrent requests share a result. Their age is
 * measured by a monotonic clock; `maxAge` of the library follows changes of the system's time.
 */
export class ShortCache<Value> {
  readonly #ms: number;
  readonly #now: () => number;
  readonly #entries: QuickLRU<string, { value: Value; until: number }>;

  constructor({ ms, maxEntries = 1_000, now = () => performance.now() }: ShortCacheOptions) {
    this.#ms = ms;
    this.#now = now;
    this.#entries = new QuickLRU({ maxSize: maxEntries });
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    return entry && entry.until > this.#now() ? entry.value : undefined;
  }

  set(key: string, value: Value): void {
    this.#entries.set(key, { value, until: this.#now() + this.#ms });
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }
}
