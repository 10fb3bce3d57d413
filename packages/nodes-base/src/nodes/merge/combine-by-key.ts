import { type Item, type JsonObject, type JsonValue, ownProperty } from '@sluice/node-sdk';
import { stringOf } from '../../shared/coerced-text.ts';
import { type FieldPath, readField, setOwn } from '../../shared/field-path.ts';
import { canonicalJson } from '../../shared/json-equal.ts';
import { passedItem } from '../../shared/per-item.ts';
import type { KeyPlan, Overwrite } from './merge-plan.ts';

/**
 * Version 1: items of input 1 that have a match in input 2, that have no match, or all of them,
 * merged with the last match. Numbers match their text; null matches nothing. A merge omits items
 * without the field.
 */
export function combineByKey(
  input1: readonly Item[],
  input2: readonly Item[],
  { mode, field1, field2, overwrite }: KeyPlan,
): Item[] {
  const byKey = lastByKey(input2, field2);
  const combined: Item[] = [];
  for (const [index, item] of input1.entries()) {
    const value = readField(item.json, field1);
    const key = keyOf(value);
    const match = key === undefined ? undefined : byKey.get(key);
    const passed = passedItem(item, index, 0);
    if (mode !== 'merge') {
      if ((match !== undefined) === (mode === 'keep')) combined.push(passed);
    } else if (value !== undefined) {
      combined.push(match ? { ...passed, json: mergeFields(item.json, match.json, overwrite, field2.join('.')) } : passed);
    }
  }
  return combined;
}

function lastByKey(items: readonly Item[], field: FieldPath): Map<string, Item> {
  const byKey = new Map<string, Item>();
  for (const item of items) {
    const key = keyOf(readField(item.json, field));
    if (key !== undefined) byKey.set(key, item);
  }
  return byKey;
}

function keyOf(value: JsonValue | undefined): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'boolean') return `boolean ${value}`;
  return typeof value === 'object' ? canonicalJson(value) : stringOf(value);
}

function mergeFields(json: JsonObject, other: JsonObject, overwrite: Overwrite, keyName: string): JsonObject {
  const merged = { ...json };
  for (const [name, value] of Object.entries(other)) {
    if (name !== keyName && mayReplace(ownProperty(json, name), overwrite)) setOwn(merged, name, value);
  }
  return merged;
}

function mayReplace(value: JsonValue | undefined, overwrite: Overwrite): boolean {
  if (overwrite === 'always' || value === undefined) return true;
  return overwrite === 'blank' && (value === null || value === '');
}
