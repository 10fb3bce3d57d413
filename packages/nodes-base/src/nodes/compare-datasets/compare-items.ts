import { type Item, type JsonObject, type JsonValue, NodeOperationError, ownProperty } from '@sluice/node-sdk';
import { type FieldPath, readField, setOwn, withField } from '../../shared/field-path.ts';
import { canonicalJson } from '../../shared/json-equal.ts';
import { passedItem } from '../../shared/per-item.ts';
import { refuseAbsentFields } from '../../shared/present-fields.ts';
import type { ComparePlan, Resolution } from './compare-plan.ts';

/** Items by what the comparison found of them, in the order of the node's outputs. */
export interface Comparison {
  onlyIn1: Item[];
  same: Item[];
  different: Item[];
  onlyIn2: Item[];
}

interface Pair {
  index1: number;
  index2: number;
  item1: Item;
  item2: Item;
}

/** Matches multiply: two inputs of a thousand items can give a million. */
const maxPairs = 1_000_000;

/** Compares two inputs. Items match that are alike in the fields to match; an item that lacks one of them matches nothing, unless comparison is fuzzy. Throws where no item of an input has a field to match. */
export function compareItems(input1: readonly Item[], input2: readonly Item[], plan: ComparePlan): Comparison {
  const comparison: Comparison = { onlyIn1: [], same: [], different: [], onlyIn2: [] };
  const fields1 = plan.match.map(({ field1 }) => field1);
  const fields2 = plan.match.map(({ field2 }) => field2);
  refuseAbsentFields(input1, fields1, 'input A');
  refuseAbsentFields(input2, fields2, 'input B');
  const byKey = indexByKey(input2, fields2, plan.fuzzy);
  const matched = new Set<number>();
  let pairs = 0;
  for (const [index1, item1] of input1.entries()) {
    const key = keyOf(item1.json, fields1, plan.fuzzy);
    const matches = (key !== undefined && byKey.get(key)) || [];
    if (matches.length === 0) comparison.onlyIn1.push(passedItem(item1, index1, 0));
    for (const index2 of plan.firstMatchOnly ? matches.slice(0, 1) : matches) {
      if (++pairs > maxPairs)
        throw new NodeOperationError(`the inputs have more than ${maxPairs} matches`, {
          description: 'Match by more fields, or let an item match the first of several alone',
        });
      matched.add(index2);
      comparePair({ index1, index2, item1, item2: input2[index2] as Item }, plan, comparison);
    }
  }
  input2.forEach((item, index2) => {
    if (!matched.has(index2)) comparison.onlyIn2.push(passedItem(item, index2, 1));
  });
  return comparison;
}

function indexByKey(items: readonly Item[], fields: readonly FieldPath[], fuzzy: boolean): Map<string, number[]> {
  const byKey = new Map<string, number[]>();
  items.forEach(({ json }, index) => {
    const key = keyOf(json, fields, fuzzy);
    if (key === undefined) return;
    const same = byKey.get(key);
    if (same) same.push(index);
    else byKey.set(key, [index]);
  });
  return byKey;
}

function keyOf(json: JsonObject, fields: readonly FieldPath[], fuzzy: boolean): string | undefined {
  const values = fields.map((path) => readField(json, path));
  if (!fuzzy && values.includes(undefined)) return undefined;
  return JSON.stringify(values.map((value) => comparable(value, fuzzy)));
}

/** Equal for values that count as the same. */
function comparable(value: JsonValue | undefined, fuzzy: boolean): string {
  if (!fuzzy || (typeof value === 'object' && value !== null)) return canonicalJson(value);
  return String(value ?? '');
}

function comparePair(pair: Pair, plan: ComparePlan, into: Comparison): void {
  const differing = differingFields(pair, plan);
  const pairedItem = [
    { item: pair.index1, input: 0 },
    { item: pair.index2, input: 1 },
  ];
  if (differing.length === 0) into.same.push({ ...pair.item1, pairedItem });
  else into.different.push({ ...resolved(pair, differing, plan), pairedItem });
}

/** Names of the top-level fields that are not the same, without those to skip and those that were matched by. */
function differingFields({ item1, item2 }: Pair, { match, fuzzy, skip }: ComparePlan): string[] {
  const matchedBy = new Set(match.flatMap(({ field1, field2 }) => [topLevel(field1), topLevel(field2)]));
  const names = new Set([...Object.keys(item1.json), ...Object.keys(item2.json)]);
  const isSame = (name: string) =>
    comparable(ownProperty(item1.json, name), fuzzy) === comparable(ownProperty(item2.json, name), fuzzy);
  return [...names].filter((name) => !skip.has(name) && !matchedBy.has(name) && !isSame(name));
}

function topLevel(path: FieldPath): string | undefined {
  return path.length === 1 ? path[0] : undefined;
}

function resolved(pair: Pair, differing: readonly string[], plan: ComparePlan): Item {
  const { item1, item2 } = pair;
  switch (plan.resolve.kind) {
    case 'preferInput1':
      return item1;
    case 'preferInput2':
      return item2;
    case 'mix':
      return mixed(pair, plan.resolve);
    case 'includeBoth':
      return { json: bothSides(item1.json, item2.json, differing, plan) };
  }
}

function mixed({ item1, item2 }: Pair, { prefer, except }: Extract<Resolution, { kind: 'mix' }>): Item {
  const [preferred, other] = prefer === 0 ? [item1, item2] : [item2, item1];
  const json = { ...preferred.json };
  for (const name of except) setOwn(json, name, ownProperty(other.json, name) ?? null);
  return { ...preferred, json };
}

/** `{ keys, same, different: { name: { inputA, inputB } }, skipped }`. */
function bothSides(
  json1: JsonObject,
  json2: JsonObject,
  differing: readonly string[],
  { match, skip }: ComparePlan,
): JsonObject {
  const keyNames = new Set(match.map(({ field1: [name] }) => name));
  const [same, different, skipped]: [JsonObject, JsonObject, JsonObject] = [{}, {}, {}];
  const sides = (name: string): JsonObject => ({
    inputA: ownProperty(json1, name) ?? null,
    inputB: ownProperty(json2, name) ?? null,
  });
  for (const name of new Set([...Object.keys(json1), ...Object.keys(json2)])) {
    if (skip.has(name)) setOwn(skipped, name, sides(name));
    else if (differing.includes(name)) setOwn(different, name, sides(name));
    else if (!keyNames.has(name)) setOwn(same, name, ownProperty(json1, name) ?? null);
  }
  const keys = match.reduce<JsonObject>((found, { field1 }) => withField(found, field1, readField(json1, field1) ?? null), {});
  return skip.size > 0 ? { keys, same, different, skipped } : { keys, same, different };
}
