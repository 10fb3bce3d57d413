export interface ShortCacheOptions {
  /** How long entries are kept, in milliseconds. */
  ms: number;
  /** Maximum number of entries; beyond it the oldest are dropped. */
  maxEntries?: number;
  /** Monotonic clock in milliseconds. */
  now?: () => number;
}

/** Caches costly results for a moment, so that equal requests at the same time share one. */
export class ShortCache<Value> {
  readonly #ms: number;
  readonly #maxEntries: number;
  readonly #now: () => number;
  readonly #entries = new Map<string, { value: Value; until: number }>();

  constructor({ ms, maxEntries = 1_000, now = () => performance.now() }: ShortCacheOptions) {
    this.#ms = ms;
    this.#maxEntries = maxEntries;
    this.#now = now;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    return entry && entry.until > this.#now() ? entry.value : undefined;
  }

  set(key: string, value: Value): void {
    this.#entries.delete(key);
    const [oldest] = this.#entries.size >= this.#maxEntries ? this.#entries.keys() : [];
    if (oldest !== undefined) this.#entries.delete(oldest);
    this.#entries.set(key, { value, until: this.#now() + this.#ms });
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }
}
