import type { JsonValue } from '@sluice/node-sdk';
import { canonicalJson } from '../../shared/json-equal.ts';

/**
 * Orders two values: numbers and booleans by size, texts without regard to case; values of different types by type. Nothing and null come
 * after all else, whatever the direction, so 0 between themselves.
 */
export function compareValues(a: JsonValue | undefined, b: JsonValue | undefined, descending: boolean): number {
  const [isMissingA, isMissingB] = [isMissing(a), isMissing(b)];
  if (isMissingA || isMissingB) return Number(isMissingA) - Number(isMissingB);
  const order = ascending(a as JsonValue, b as JsonValue);
  return descending ? -order : order;
}

function isMissing(value: JsonValue | undefined): boolean {
  return value === undefined || value === null;
}

function ascending(a: JsonValue, b: JsonValue): number {
  const [left, right] = [comparable(a), comparable(b)];
  if (typeof left !== typeof right) return typeof left < typeof right ? -1 : 1;
  return left < right ? -1 : left > right ? 1 : 0;
}

function comparable(value: JsonValue): number | string {
  if (typeof value === 'number' || typeof value === 'boolean') return Number(value);
  return typeof value === 'string' ? value.toLowerCase() : canonicalJson(value);
}
