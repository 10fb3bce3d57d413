import { ExpressionFailure } from './failures.ts';

/** Returns 0 for an empty list, like the list method. */
export function average(values: readonly unknown[]): number {
  if (!values.every((value) => typeof value === 'number')) throw new ExpressionFailure('$average() takes numbers');
  return values.length === 0 ? 0 : values.reduce((total, value) => total + value, 0) / values.length;
}

/** Same as `Math.min`, for any number of values. */
export function least(values: readonly number[]): number {
  return values.reduce((minimum, value) => Math.min(minimum, value), Number.POSITIVE_INFINITY);
}

/** Same as `Math.max`, for any number of values. */
export function greatest(values: readonly number[]): number {
  return values.reduce((maximum, value) => Math.max(maximum, value), Number.NEGATIVE_INFINITY);
}

/** The integers from `start` to `end`, inclusive; descending if `end` is less. */
export function numberList(start: number, end: number): number[] {
  if (!Number.isInteger(start) || !Number.isInteger(end)) throw new ExpressionFailure('numberList() takes two whole numbers');
  const step = start <= end ? 1 : -1;
  return Array.from({ length: Math.abs(end - start) + 1 }, (_, index) => start + step * index);
}

/** An object with the given keys and the values at the same positions. */
export function zip(keys: readonly unknown[], values: readonly unknown[]): Record<string, unknown> {
  if (!Array.isArray(keys) || !Array.isArray(values) || keys.length !== values.length) {
    throw new ExpressionFailure('zip() takes two arrays of the same length: keys and values');
  }
  return Object.fromEntries(keys.map((key, index) => [String(key), values[index]]));
}
