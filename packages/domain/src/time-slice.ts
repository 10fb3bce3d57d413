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

/** Conversions between two checks of the clock. */
const clockInterval = 64;

/**
 * `Array.map` in time slices: a long list does not block the event loop. Rejects with what
 * `convert` throws.
 */
export async function mapSliced<From, To>(list: readonly From[], convert: (value: From, index: number) => To): Promise<To[]> {
  const slice = new TimeSlice();
  const converted: To[] = [];
  for (const [index, value] of list.entries()) {
    converted.push(convert(value, index));
    if (index % clockInterval === 0 && slice.isOver) await slice.next();
  }
  return converted;
}

/**
 * Number of elements that are sorted at once, or merged between two checks of the clock: a few
 * milliseconds.
 */
const runLength = 4_096;

/**
 * `Array.toSorted` in time slices, by merging sorted runs: a long list does not block the event
 * loop. Stable. Rejects with what `compare` throws.
 */
export async function sortSliced<T>(list: readonly T[], compare: (a: T, b: T) => number): Promise<T[]> {
  const slice = new TimeSlice();
  let runs: T[][] = [];
  for (let at = 0; at < list.length; at += runLength) {
    runs.push(list.slice(at, at + runLength).sort(compare));
    if (slice.isOver) await slice.next();
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let i = 0; i < runs.length; i += 2) merged.push(await merge(runs[i] ?? [], runs[i + 1] ?? [], compare, slice));
    runs = merged;
  }
  return runs[0] ?? [];
}

async function merge<T>(
  left: readonly T[],
  right: readonly T[],
  compare: (a: T, b: T) => number,
  slice: TimeSlice,
): Promise<T[]> {
  const merged: T[] = [];
  for (let [i, j] = [0, 0]; i < left.length || j < right.length; ) {
    const takesLeft = j >= right.length || (i < left.length && compare(left[i] as T, right[j] as T) <= 0);
    merged.push((takesLeft ? left[i++] : right[j++]) as T);
    if (merged.length % runLength === 0 && slice.isOver) await slice.next();
  }
  return merged;
}
