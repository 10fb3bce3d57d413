import { TimeSlice } from './time-slice.ts';

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
