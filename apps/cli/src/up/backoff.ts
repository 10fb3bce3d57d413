const firstMs = 250;
const longestMs = 30_000;
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
