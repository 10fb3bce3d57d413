import { setTimeout as sleep } from 'node:timers/promises';

/** How often the limit of a call fits into the wall time that it may take. */
export const maxStretch = 3;

/** The clocks of a thread, in milliseconds since any instant. */
export interface ThreadClock {
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
 * Limits the time of one call. Only time in which the thread runs or sleeps counts, so that the same
 * call does not fail because the machine is busy. The wall time is limited too, to `maxStretch` times
 * as much.
 */
export class CallTimer {
  readonly #clock: ThreadClock;
  readonly #timeoutMs: number;
  readonly #cpuAtStart: number;
  readonly #lastEnd: number;
  /** The call cannot be over before this wall time, which is cheaper to read than processor time. */
  #checkAt: number;
  #sleptMs = 0;

  constructor(timeoutMs: number, clock = threadClock) {
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
    this.#cpuAtStart = clock.cpuMs();
    const startedAt = clock.wallMs();
    this.#checkAt = startedAt + timeoutMs;
    this.#lastEnd = startedAt + maxStretch * timeoutMs;
  }

  /** Time that counts so far. */
  get usedMs(): number {
    return this.#clock.cpuMs() - this.#cpuAtStart + this.#sleptMs;
  }

  get isOver(): boolean {
    const now = this.#clock.wallMs();
    if (now < this.#checkAt) return false;
    const left = this.#timeoutMs - this.usedMs;
    if (left <= 0 || now >= this.#lastEnd) return true;
    this.#checkAt = Math.min(now + left, this.#lastEnd);
    return false;
  }

  /** Sleeps, but not beyond the end. A late awakening does not count. */
  async sleep(ms: number): Promise<void> {
    const duration = Math.min(ms, Math.max(0, this.#timeoutMs - this.usedMs));
    await sleep(duration);
    this.#sleptMs += duration;
  }
}
