import type { JsonValue } from '@sluice/node-sdk';

/**
 * A value as text, converted as JavaScript does, but without calling a `toString` member of the
 * data. Null and `undefined` are empty.
 */
export function coercedText(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map(coercedText).join(',');
  return typeof value === 'object' ? '[object Object]' : `${value}`;
}

/** Like `coercedText`, but null and `undefined` are words, as in JavaScript. */
export function stringOf(value: JsonValue | undefined): string {
  return value === undefined || value === null ? `${value}` : coercedText(value);
}
