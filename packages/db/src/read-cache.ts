import { ShortCache, type ShortCacheOptions } from './short-cache.ts';

/**
 * Keeps the results of reads for a short time. Concurrent callers share a read; a failed one is not
 * kept.
 */
export class ReadCache<Result> {
  readonly #reads: ShortCache<Promise<Result>>;

  constructor(options: ShortCacheOptions) {
    this.#reads = new ShortCache(options);
  }

  get(key: string, read: () => Promise<Result>): Promise<Result> {
    const kept = this.#reads.get(key);
    if (kept) return kept;
    const reading = read();
    this.#reads.set(key, reading);
    reading.catch(() => {
      if (this.#reads.get(key) === reading) this.#reads.delete(key);
    });
    return reading;
  }
}
