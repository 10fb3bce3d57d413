import type { JsonValue } from '@sluice/node-sdk';

/**
 * The text that JavaScript makes of a value, without calling a `toString` member of the data. Null
 * and `undefined` are empty.
 */
export function coercedText(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map(coercedText).join(',');
  return typeof value === 'object' ? '[object Object]' : String(value);
}
