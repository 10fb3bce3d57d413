import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { setOwn } from './field-path.ts';

/**
 * Converts a database library's value to JSON. Dates become ISO 8601, bytes base64; unsafe integers
 * and numbers without a JSON form (`NaN`, `Infinity`) become text; missing values become null.
 */
export function toJson(value: unknown): JsonValue {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : `${value}`;
    case 'bigint':
      return `${value}`;
    case 'object':
      return value === null ? null : objectToJson(value);
    default:
      return null;
  }
}

function objectToJson(value: object): JsonValue {
  if (Array.isArray(value)) return value.map(toJson);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  const json: JsonObject = {};
  for (const [name, member] of Object.entries(value)) setOwn(json, name, toJson(member));
  return json;
}
