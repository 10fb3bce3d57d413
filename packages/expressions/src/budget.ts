/**
 * Thrown where the host has to stop: a value that could call code, or a spent budget. A single instance without a
 * stack, since it may be thrown for every item.
 */
export class BeyondHost extends Error {
  static readonly instance: BeyondHost = Object.assign(new BeyondHost(), { stack: '' });
}

export interface HostLimits {
  /** Characters that expressions read and make. */
  text: number;
  /** Operations: an operator, a step of a path, an element that is printed. */
  work: number;
  /** Milliseconds. */
  ms: number;
}

/** Limits of all host evaluation of one node run. */
export class HostBudget {
  #text: number;
  #work: number;
  #ms: number;

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

  spendTime(ms: number): void {
    this.#ms -= ms;
    if (this.#ms < 0) throw BeyondHost.instance;
  }
}
