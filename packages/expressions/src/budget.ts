/**
 * Thrown when the host must stop: at a value that could call code, or when a budget is spent. A
 * single instance without a stack, because it may be thrown for every item.
 */
export class BeyondHost extends Error {
  static readonly instance: BeyondHost = Object.assign(new BeyondHost(), { stack: '' });
}

export interface HostLimits {
  /** Characters that expressions read and produce. */
  text: number;
  /** Operations: an operator, a path step, or a printed element. */
  work: number;
  /** In milliseconds. */
  ms: number;
}

/** Limits of all host evaluation in one node run. */
export class HostBudget {
  #text: number;
  #work: number;
  #ms: number;
  #callsEndAt = Number.POSITIVE_INFINITY;

  constructor({ text, work, ms }: HostLimits) {
    this.#text = text;
    this.#work = work;
    this.#ms = ms;
  }

  spendText(characters: number): void {
    this.#text -= characters;
    if (this.#text < 0) throw BeyondHost.instance;
  }

  spendWork(operations: number): void {
    this.#work -= operations;
    if (this.#work < 0) throw BeyondHost.instance;
  }

  /** Sets when function calls must stop, on the clock of `performance.now()`. */
  endCallsAt(time: number): void {
    this.#callsEndAt = time;
  }

  /** An expression may call many functions and cannot be interrupted. */
  assertCallsInTime(): void {
    if (performance.now() > this.#callsEndAt) throw BeyondHost.instance;
  }

  spendTime(ms: number): void {
    this.#ms -= ms;
    if (this.#ms < 0) throw BeyondHost.instance;
  }
}
