const firstMs = 250;
/** Short, so that a killed worker soon restarts and sweeps its executions. */
const longestMs = 5_000;
/** A process that has run this long counts as recovered. */
const healthyMs = 30_000;

/** Delay before the next restart. Doubles each time and resets after a long healthy run. */
export class Backoff {
  #next = firstMs;

  delayAfter(ranForMs: number): number {
    if (ranForMs >= healthyMs) this.#next = firstMs;
    const delay = this.#next;
    this.#next = Math.min(this.#next * 2, longestMs);
    return delay;
  }
}
