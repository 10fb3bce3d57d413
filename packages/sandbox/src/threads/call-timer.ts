import { setTimeout as delay } from 'node:timers/promises';

/** Maximum wall time of a call, as a multiple of its limit. */
export const wallTimeFactor = 3;

/** A thread's clocks, in milliseconds since an arbitrary origin. */
interface ThreadClock {
  wallMs(): number;
  /** Processor time of the thread. */
  cpuMs(): number;
}

const threadClock: ThreadClock = {
  wallMs: () => performance.now(),
  cpuMs: () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1_000;
  },
};

/**
 * Limits the time of one call. Only time in which the thread runs or sleeps counts, so that a call
 * does not fail because the machine is busy. Wall time is limited to `wallTimeFactor` times as
 * much.
 */
export class CallTimer {
  readonly #clock: ThreadClock;
  readonly #timeoutMs: number;
  readonly #cpuAtStart: number;
  readonly #wallDeadline: number;
  /**
   * Wall time before which the limit cannot be reached, because reading processor time is more
   * expensive.
   */
  #checkAt: number;
  #sleptMs = 0;

  constructor(timeoutMs: number, clock = threadClock) {
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
    this.#cpuAtStart = clock.cpuMs();
    const startedAt = clock.wallMs();
    this.#checkAt = startedAt + timeoutMs;
    this.#wallDeadline = startedAt + wallTimeFactor * timeoutMs;
  }

  /** Milliseconds that count toward the limit so far. */
  get usedMs(): number {
    return this.#clock.cpuMs() - this.#cpuAtStart + this.#sleptMs;
  }

  get isOver(): boolean {
    const now = this.#clock.wallMs();
    if (now < this.#checkAt) return false;
    const remainingMs = this.#timeoutMs - this.usedMs;
    if (remainingMs <= 0 || now >= this.#wallDeadline) return true;
    this.#checkAt = Math.min(now + remainingMs, this.#wallDeadline);
    return false;
  }

  /**
   * Sleeps, at most until the limit. Waking up late does not count. Node has no timers below a
   * millisecond. `ms`: from the guest, so it may be NaN, which would never use up the limit.
   */
  async sleep(ms: number): Promise<void> {
    const remainingMs = Math.min(this.#timeoutMs - this.usedMs, this.#wallDeadline - this.#clock.wallMs());
    const duration = Math.max(1, Math.min(ms || 0, remainingMs));
    await delay(duration);
    this.#sleptMs += duration;
  }
}
