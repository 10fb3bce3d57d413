export interface ShortCacheOptions {
  /** How long entries serve. */
  ms: number;
  /** Entries kept; beyond that the oldest are forgotten. */
  maxEntries?: number;
  /** Milliseconds of any clock that does not jump. */
  now?: () => number;
}

/** Keeps what is costly to find out for a moment, so that many who ask the same at once are answered by one. */
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
