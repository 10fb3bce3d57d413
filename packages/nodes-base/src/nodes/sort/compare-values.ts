import type { JsonValue } from '@sluice/node-sdk';
import { canonicalJson } from '../../shared/json-equal.ts';
import { isLess, type Ordered, ordered } from '../../shared/ordered.ts';

/** A value to sort by. */
export interface SortKey {
  /** Lowercase strings, lists as numbers, objects as NaN; `undefined`: a missing value. */
  readonly order: Ordered | undefined;
  /** Equal for equal objects and lists; `undefined` for other values. */
  readonly text: string | undefined;
}

export function sortKey(value: JsonValue | undefined): SortKey {
  if (typeof value === 'object' && value !== null) return { order: Number(ordered(value)), text: canonicalJson(value) };
  return { order: typeof value === 'string' ? value.toLowerCase() : value, text: undefined };
}

/**
 * Numbers, booleans, and null (as 0) are compared by size, and strings case-insensitively. A list
 * is compared as JavaScript's `Number(list)`: `[2]` as 2. If two values cannot be compared (an
 * object, a list that is not a number, or a missing value), the first remains first in ascending
 * order and comes last in descending order.
 */
export function compareKeys(a: SortKey, b: SortKey, descending: boolean): number {
  if (a.text === b.text && (a.text !== undefined || a.order === b.order)) return 0;
  const isBefore = a.order !== undefined && b.order !== undefined && isLess(a.order, b.order);
  return isBefore === descending ? 1 : -1;
}
