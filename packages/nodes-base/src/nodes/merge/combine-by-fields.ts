import type { Item } from '@sluice/node-sdk';
import { type FieldPath, readField, setOwn } from '../../shared/field-path.ts';
import { canonicalJson } from '../../shared/json-equal.ts';
import { refuseAbsentFields } from '../../shared/present-fields.ts';
import type { FieldsPlan } from './merge-plan.ts';
import { MergedItems, type Part, partsOf, passedPart } from './merged-items.ts';

interface Matched {
  part: Part;
  matches: readonly Part[];
}

/**
 * Joins two inputs by equal fields, in the order of input 1 (of input 2 where that is the one enriched), followed by what of the other
 * input is kept. An item that lacks a field matches nothing, unless comparison is fuzzy. Throws where no item of an input has a field.
 */
export function combineByFields(input1: readonly Item[], input2: readonly Item[], plan: FieldsPlan): Item[] {
  const fields1 = plan.fields.map(({ field1 }) => field1);
  const fields2 = plan.fields.map(({ field2 }) => field2);
  refuseAbsentFields(input1, fields1, 'input 1');
  refuseAbsentFields(input2, fields2, 'input 2');
  const keys1 = keyed(partsOf(input1, 0), fields1, plan.fuzzy);
  const keys2 = keyed(partsOf(input2, 1), fields2, plan.fuzzy);
  const first = match(keys1, keys2);
  const second = match(keys2, keys1);
  switch (plan.join) {
    case 'keepMatches':
      return keepMatches(first, second, plan);
    case 'keepNonMatches':
      return keepNonMatches(first, second, plan);
    case 'keepEverything':
      return [...enrich(first, plan), ...unmatched(second)];
    case 'enrichInput1':
      return enrich(first, plan);
    case 'enrichInput2':
      return enrich(second, plan);
  }
}

function keepMatches(first: readonly Matched[], second: readonly Matched[], plan: FieldsPlan): Item[] {
  if (plan.output === 'both') return enrich(first.filter(isMatched), plan);
  return (plan.output === 'input1' ? first : second).filter(isMatched).map(({ part }) => passedPart(part));
}

function keepNonMatches(first: readonly Matched[], second: readonly Matched[], { output }: FieldsPlan): Item[] {
  if (output === 'input1') return unmatched(first);
  if (output === 'input2') return unmatched(second);
  return [
    ...unmatched(first).map((item) => withSource(item, 'input1')),
    ...unmatched(second).map((item) => withSource(item, 'input2')),
  ];
}

/** Each item merged with each of its matches, or as it is where it has none. */
function enrich(list: readonly Matched[], { clash, firstMatchOnly }: FieldsPlan): Item[] {
  const merged = new MergedItems(clash);
  for (const { part, matches } of list) {
    if (matches.length === 0) merged.items.push(passedPart(part));
    for (const other of firstMatchOnly ? matches.slice(0, 1) : matches) {
      merged.add(part.input < other.input ? [part, other] : [other, part]);
    }
  }
  return merged.items;
}

function unmatched(list: readonly Matched[]): Item[] {
  return list.filter((matched) => !isMatched(matched)).map(({ part }) => passedPart(part));
}

function isMatched({ matches }: Matched): boolean {
  return matches.length > 0;
}

function withSource(item: Item, source: string): Item {
  const json = { ...item.json };
  setOwn(json, '_source', source);
  return { ...item, json };
}

type Keyed = readonly (readonly [Part, string | undefined])[];

function keyed(parts: readonly Part[], fields: readonly FieldPath[], fuzzy: boolean): Keyed {
  return parts.map((part) => [part, keyOf(part, fields, fuzzy)]);
}

function match(list: Keyed, others: Keyed): Matched[] {
  const byKey = new Map<string, Part[]>();
  for (const [part, key] of others) {
    if (key === undefined) continue;
    const same = byKey.get(key);
    if (same) same.push(part);
    else byKey.set(key, [part]);
  }
  return list.map(([part, key]) => ({ part, matches: (key !== undefined && byKey.get(key)) || [] }));
}

/** Equal exactly for items whose fields are equal; `undefined`: a field is missing. */
function keyOf({ item }: Part, fields: readonly FieldPath[], fuzzy: boolean): string | undefined {
  const values = fields.map((path) => readField(item.json, path));
  if (!fuzzy) return values.includes(undefined) ? undefined : canonicalJson(values.map((value) => value ?? null));
  return JSON.stringify(
    values.map((value) => (typeof value === 'object' && value !== null ? canonicalJson(value) : String(value ?? ''))),
  );
}
