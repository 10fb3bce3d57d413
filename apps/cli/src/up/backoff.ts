const firstMs = 250;
/** Short, so that a worker that was killed is back soon, and sweeps what it held. */
const longestMs = 5_000;
/** Running this long counts as recovered. */
const healthyMs = 30_000;

/** How long to wait before the next restart: doubled each time, from the start again after a long good run. */
export class Backoff {
  #next = firstMs;

  delayAfter(ranForMs: number): number {
    if (ranForMs >= healthyMs) this.#next = firstMs;
    const delay = this.#next;
    this.#next = Math.min(this.#next * 2, longestMs);
    return delay;
  }
}
