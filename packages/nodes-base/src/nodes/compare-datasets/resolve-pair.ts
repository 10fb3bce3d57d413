import { type Item, type JsonObject, type JsonValue, ownProperty } from '@sluice/node-sdk';
import { FieldEditor, readField, setOwn } from '../../shared/field-path.ts';
import { type Equality, valuesEqual } from '../../shared/match-values.ts';
import { withoutFields } from '../../shared/named-fields.ts';
import { passedItem } from '../../shared/per-item.ts';
import type { BothShape, ComparePlan, Resolution } from './compare-plan.ts';

/** Two items that match. */
export interface Pair {
  index1: number;
  index2: number;
  item1: Item;
  item2: Item;
}

/** Whether all fields that are not skipped are equal. */
export function areSame({ item1, item2 }: Pair, { skip, equality }: ComparePlan): boolean {
  const [json1, json2] = [withoutFields(item1.json, skip), withoutFields(item2.json, skip)];
  return fieldNames(json1, json2).every((name) => valuesEqual(ownProperty(json1, name), ownProperty(json2, name), equality));
}

/** The item for two equal items; their types may differ if equality is loose. */
export function sameItem({ index1, index2, item1, item2 }: Pair, { resolve, equality }: ComparePlan): Item {
  const isSecond = resolve.kind === 'preferInput2' && equality !== 'exact';
  return isSecond ? passedItem(item2, index2, 1) : passedItem(item1, index1, 0);
}

/**
 * The item for two items that differ. It is paired with the item that it is a version of, or with
 * both items.
 */
export function resolved(pair: Pair, plan: ComparePlan): Item {
  const { index1, index2, item1, item2 } = pair;
  switch (plan.resolve.kind) {
    case 'preferInput1':
      return passedItem(item1, index1, 0);
    case 'preferInput2':
      return passedItem(item2, index2, 1);
    case 'mix':
      return mixed(pair, plan.resolve);
    case 'includeBoth': {
      const pairedItem = [
        { item: index1, input: 0 },
        { item: index2, input: 1 },
      ];
      return { json: bothSides(item1.json, item2.json, plan, plan.resolve.shape), pairedItem };
    }
  }
}

function mixed({ index1, index2, item1, item2 }: Pair, resolve: Extract<Resolution, { kind: 'mix' }>): Item {
  const preferred = resolve.prefer === 0 ? passedItem(item1, index1, 0) : passedItem(item2, index2, 1);
  const other = resolve.prefer === 0 ? item2 : item1;
  const json = { ...preferred.json };
  for (const { name, path } of resolve.except) {
    const value = readField(other.json, path);
    if (value !== undefined || resolve.missingAsNull) setOwn(json, name, value ?? null);
    else delete json[name];
  }
  return { ...preferred, json };
}

/**
 * `{ keys, same, different: { name: { inputA, inputB } } }`, and `skipped` like `different` if
 * skipped fields differ.
 */
function bothSides(json1: JsonObject, json2: JsonObject, plan: ComparePlan, shape: BothShape): JsonObject {
  const skip = new Set(plan.skip.map(({ name }) => name));
  const [same, different, skipped]: [JsonObject, JsonObject, JsonObject] = [{}, {}, {}];
  for (const name of fieldNames(json1, json2)) {
    if (!showAsSame(json1, json2, name, plan.equality, shape)) {
      setOwn(skip.has(name) ? skipped : different, name, sides(json1, json2, name, shape));
    } else if (Object.hasOwn(json1, name)) setOwn(same, name, json1[name] as JsonValue);
  }
  const both: JsonObject = { keys: keysOf(json1, plan), same, different };
  return Object.keys(skipped).length > 0 ? { ...both, skipped } : both;
}

function showAsSame(json1: JsonObject, json2: JsonObject, name: string, equality: Equality, shape: BothShape): boolean {
  if (shape.missingDiffers && !(Object.hasOwn(json1, name) && Object.hasOwn(json2, name))) return false;
  return valuesEqual(ownProperty(json1, name), ownProperty(json2, name), equality);
}

function sides(json1: JsonObject, json2: JsonObject, name: string, { names, falsyAsNull }: BothShape): JsonObject {
  const outputOf = (json: JsonObject): JsonValue => {
    const value = ownProperty(json, name) ?? null;
    return falsyAsNull ? value || null : value;
  };
  return { [names[0]]: outputOf(json1), [names[1]]: outputOf(json2) };
}

function keysOf(json: JsonObject, { match }: ComparePlan): JsonObject {
  const keys = new FieldEditor({});
  for (const { field1 } of match) {
    const name = field1.join('.');
    keys.set(Object.hasOwn(json, name) ? [name] : field1, readField(json, field1) ?? null);
  }
  return keys.json;
}

function fieldNames(json1: JsonObject, json2: JsonObject): string[] {
  return [...new Set([...Object.keys(json1), ...Object.keys(json2)])];
}
