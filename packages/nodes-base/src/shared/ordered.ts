import type { JsonValue } from '@sluice/node-sdk';

/** A value in the form that JavaScript compares with `<`. */
export type Ordered = string | number | boolean | null;

/**
 * Converts a value for comparison. All objects have the same text; a list is the text of its
 * elements.
 */
export function ordered(value: JsonValue): Ordered {
  return typeof value === 'object' && value !== null ? textOf(value) : value;
}

/**
 * Whether one value is less than another. A text and a number compare as numbers if the text is
 * numeric.
 */
export function isLess(a: Ordered, b: Ordered): boolean {
  return typeof a === 'string' && typeof b === 'string' ? a < b : Number(a) < Number(b);
}

/** The text as in JavaScript, without calling a `toString` member of the data. */
function textOf(value: JsonValue): string {
  if (value === null) return '';
  if (Array.isArray(value)) return value.map(textOf).join(',');
  return typeof value === 'object' ? '[object Object]' : String(value);
}
