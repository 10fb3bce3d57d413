import type { JsonValue } from '@sluice/node-sdk';

/** A value as JavaScript compares it with `<`. */
export type Ordered = string | number | boolean | null;

/** The value to compare. Objects count as one text, lists as the texts of their elements. */
export function ordered(value: JsonValue): Ordered {
  return typeof value === 'object' && value !== null ? textOf(value) : value;
}

/** Whether one value is less than another; a text and a number compare as numbers, if the text is one. */
export function isLess(a: Ordered, b: Ordered): boolean {
  return typeof a === 'string' && typeof b === 'string' ? a < b : Number(a) < Number(b);
}

/** The text of JavaScript; a member `toString` of the data is not called. */
function textOf(value: JsonValue): string {
  if (value === null) return '';
  if (Array.isArray(value)) return value.map(textOf).join(',');
  return typeof value === 'object' ? '[object Object]' : String(value);
}
