import { TimeSlice } from './time-slice.ts';

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
