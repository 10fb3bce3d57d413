/**
 * How long the event loop has been silent, counting only time in which the thread itself ran. A
 * frozen process (SIGSTOP, a suspended machine) wakes up as a whole: the time it was frozen does
 * not count.
 */
export class StallClock {
  readonly #checkMs: number;
  #pulse: bigint | undefined;
  #checkedAt: number | undefined;
  #silentMs = 0;

  /** @param checkMs how often `check` is called. */
  constructor(checkMs: number) {
    this.#checkMs = checkMs;
  }

  /** Milliseconds of silence, 0 if there was a pulse since the last check. */
  check(pulse: bigint, now: number): number {
    const elapsedMs = Math.min(now - (this.#checkedAt ?? now), 2 * this.#checkMs);
    this.#silentMs = pulse === this.#pulse ? this.#silentMs + elapsedMs : 0;
    this.#pulse = pulse;
    this.#checkedAt = now;
    return this.#silentMs;
  }
}
