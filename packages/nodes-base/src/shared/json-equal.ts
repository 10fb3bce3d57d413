import type { JsonValue } from '@sluice/node-sdk';

/** A text that two JSON values share exactly if they are equal; the order of keys is ignored. */
export function canonicalJson(value: JsonValue | undefined): string {
  return JSON.stringify(value, (_, inner: JsonValue) => (isPlainObject(inner) ? sortKeys(inner) : inner)) ?? 'undefined';
}

export function jsonEqual(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (typeof a !== 'object' || typeof b !== 'object') return a === b;
  return canonicalJson(a) === canonicalJson(b);
}

function isPlainObject(value: JsonValue): value is { [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sortKeys(object: { [key: string]: JsonValue }): { [key: string]: JsonValue } {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
}
