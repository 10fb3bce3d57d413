import type { JsonValue } from '@sluice/node-sdk';

/**
 * A string that is the same for two JSON values exactly if they are equal; the key order is
 * ignored.
 */
export function canonicalJson(value: JsonValue | undefined): string {
  return JSON.stringify(value, (_, inner: JsonValue) => (isPlainObject(inner) ? sortKeys(inner) : inner)) ?? 'undefined';
}

export function jsonEqual(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (typeof a !== 'object' || typeof b !== 'object') return a === b;
  return canonicalJson(a) === canonicalJson(b);
}

/** Whether a list has an element that equals the value, which is read only once. */
export function includesEqual(list: readonly JsonValue[], value: JsonValue | undefined): boolean {
  if (typeof value !== 'object') return list.some((element) => element === value);
  const text = canonicalJson(value);
  return list.some((element) => typeof element === 'object' && canonicalJson(element) === text);
}

function isPlainObject(value: JsonValue): value is { [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sortKeys(object: { [key: string]: JsonValue }): { [key: string]: JsonValue } {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
}
