import { parseExactJson } from '@sluice/node-sdk/display';
import type { PinData } from './graph.ts';

/** Parses items from JSON text: a list of objects, or one object. Throws with the reason. */
export function parseItems(text: string): PinData[string] {
  const value: unknown = parseExactJson(text);
  const list = Array.isArray(value) ? value : [value];
  if (!list.every(isObject)) throw new Error('Items are JSON objects, such as [{ "id": 1 }].');
  return list.map((one) => ('json' in one && isObject(one['json']) ? one : { json: one }));
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
