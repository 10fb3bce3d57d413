import type { JsonValue } from '@sluice/node-sdk';
import { coercedText } from './coerced-text.ts';

/** A value in a form that JavaScript compares with `<`. */
export type Ordered = string | number | boolean | null;

/**
 * Converts a value for comparison. All objects have the same text; a list is the text of its
 * elements.
 */
export function ordered(value: JsonValue): Ordered {
  return typeof value === 'object' && value !== null ? coercedText(value) : value;
}

/**
 * Whether one value is less than another. A string and a number compare as numbers if the text is
 * numeric.
 */
export function isLess(a: Ordered, b: Ordered): boolean {
  return typeof a === 'string' && typeof b === 'string' ? a < b : Number(a) < Number(b);
}
