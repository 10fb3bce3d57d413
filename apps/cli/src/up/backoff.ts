const firstMs = 250;
/** Short, so that a killed worker is back soon and sweeps its executions. */
const longestMs = 5_000;
/** Running this long counts as recovered. */
const healthyMs = 30_000;

/** Delay before the next restart: doubles each time, and starts over after a long healthy run. */
export class Backoff {
  #next = firstMs;

  delayAfter(ranForMs: number): number {
    if (ranForMs >= healthyMs) this.#next = firstMs;
    const delay = this.#next;
    this.#next = Math.min(this.#next * 2, longestMs);
    return delay;
  }
}
