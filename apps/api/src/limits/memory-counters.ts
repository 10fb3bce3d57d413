import { MemoryStore, type Options } from 'express-rate-limit';
import type { Bucket, Count, Counters } from './counters.ts';

/** Number of buckets at which those without a recent request are dropped, as at the end of a window. */
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
