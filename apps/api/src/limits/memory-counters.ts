import type { Bucket, Count, Counters } from './counters.ts';

/** Maximum of buckets; beyond that, the oldest are dropped. */
const maxBuckets = 50_000;

/** Counters of this process alone. */
export class MemoryCounters implements Counters {
  readonly #windowMs: number;
  readonly #now: () => number;
  /** Ordered by the start, and therefore by the end, of their windows. */
  readonly #windows = new Map<string, { hits: number; endsAt: number }>();

  constructor({ windowMs, now = () => performance.now() }: { windowMs: number; now?: () => number }) {
    this.#windowMs = windowMs;
    this.#now = now;
  }

  async count(buckets: readonly Bucket[]): Promise<Count[]> {
    const counts: Count[] = [];
    for (const { key, max } of buckets) {
      const count = this.#hit(key);
      counts.push(count);
      if (count.hits > max) break;
    }
    return counts;
  }

  #hit(key: string): Count {
    const now = this.#now();
    const current = this.#windows.get(key);
    if (current && current.endsAt > now) {
      current.hits += 1;
      return { hits: current.hits, resetMs: Math.ceil(current.endsAt - now) };
    }
    this.#windows.delete(key);
    this.#dropOldest(now);
    this.#windows.set(key, { hits: 1, endsAt: now + this.#windowMs });
    return { hits: 1, resetMs: this.#windowMs };
  }

  #dropOldest(now: number): void {
    for (const [key, { endsAt }] of this.#windows) {
      if (endsAt > now && this.#windows.size < maxBuckets) return;
      this.#windows.delete(key);
    }
  }
}
