import { setImmediate } from 'node:timers/promises';

/** Lets the event loop turn now and then: a walk over nodes that never wait would otherwise hold it, and no cancel could arrive. */
export class TimeSlice {
  readonly #lengthMs: number;
  #endsAt: number;

  constructor(lengthMs: number) {
    this.#lengthMs = lengthMs;
    this.#endsAt = performance.now() + lengthMs;
  }

  get isOver(): boolean {
    return performance.now() >= this.#endsAt;
  }

  /** Waits for one turn of the event loop and begins anew. */
  async next(): Promise<void> {
    await setImmediate();
    this.#endsAt = performance.now() + this.#lengthMs;
  }
}
