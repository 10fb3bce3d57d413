import type { JsonValue } from '@sluice/node-sdk';
import { canonicalJson } from '../../shared/json-equal.ts';
import { isLess, type Ordered, ordered } from '../../shared/ordered.ts';

/** A value to sort by. */
export interface SortKey {
  /** Texts without their case, objects and lists as texts; `undefined`: a missing value. */
  readonly order: Ordered | undefined;
  /** Equal for equal objects and lists; `undefined` for other values. */
  readonly text: string | undefined;
}

export function sortKey(value: JsonValue | undefined): SortKey {
  if (typeof value === 'object' && value !== null) return { order: ordered(value), text: canonicalJson(value) };
  return { order: typeof value === 'string' ? value.toLowerCase() : value, text: undefined };
}

/**
 * Compares as JavaScript does: numbers, booleans and null (as 0) by size, texts without their case, lists as texts. If two
 * values cannot be compared (two objects, a list and a text, or a missing value), the first stays first in ascending order and
 * comes last in descending order.
 */
export function compareKeys(a: SortKey, b: SortKey, descending: boolean): number {
  if (a.order === b.order && a.text === b.text) return 0;
  const areAlike = (a.text === undefined) === (b.text === undefined);
  const isBefore = areAlike && a.order !== undefined && b.order !== undefined && isLess(a.order, b.order);
  return isBefore === descending ? 1 : -1;
}
