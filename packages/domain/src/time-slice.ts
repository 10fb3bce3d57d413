import { setImmediate } from 'node:timers/promises';

/**
 * Duration of a slice of long work in milliseconds: short enough to keep the event loop responsive.
 */
const defaultSliceMs = 10;

/**
 * Splits long synchronous work into slices, so that timers, sockets, and cancellations run in
 * between.
 */
export class TimeSlice {
  readonly #lengthMs: number;
  #endsAt: number;

  constructor(lengthMs: number = defaultSliceMs) {
    this.#lengthMs = lengthMs;
    this.#endsAt = performance.now() + lengthMs;
  }

  get isOver(): boolean {
    return performance.now() >= this.#endsAt;
  }

  /** Waits for one turn of the event loop and starts the next slice. */
  async next(): Promise<void> {
    await setImmediate();
    this.#endsAt = performance.now() + this.#lengthMs;
  }
}
