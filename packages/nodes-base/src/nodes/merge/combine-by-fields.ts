import type { Item } from '@sluice/node-sdk';
import { setOwn } from '../../shared/field-path.ts';
import { MatchIndex } from '../../shared/match-index.ts';
import { refuseAbsentFields } from '../../shared/present-fields.ts';
import type { ClashRules } from './merge-json.ts';
import type { FieldsPlan } from './merge-plan.ts';
import { MergedItems, type Part, partsOf, passedPart, suffixedPart } from './merged-items.ts';

interface Matched {
  /** Pairs of an item of input 1 and an item of input 2, in the order of input 1. */
  pairs: [Part, Part][];
  /** Items of input 1 and input 2 that are in a pair. */
  used: [Set<Part>, Set<Part>];
}

/**
 * Joins two inputs by equal fields: pairs in the order of input 1, then the unmatched items that
 * the join keeps, which get suffixes like merged items unless an input is empty. In version 2,
 * throws a `NodeOperationError` for a field that no item of an input has.
 */
export function combineByFields(input1: readonly Item[], input2: readonly Item[], plan: FieldsPlan): Item[] {
  const [parts1, parts2] = [partsOf(input1, 0), partsOf(input2, 1)];
  const { pairs, used } = match(parts1, parts2, plan);
  const unmatched1 = () => parts1.filter((part) => !used[0].has(part));
  const unmatched2 = () => parts2.filter((part) => !used[1].has(part));
  const couldMatch = parts1.length > 0 && parts2.length > 0;
  const alone = couldMatch && plan.clash.resolve === 'suffix' ? suffixedPart : passedPart;
  switch (plan.join) {
    case 'keepMatches':
      if (plan.output === 'both') return merged(pairs, plan.clash);
      return (plan.output === 'input1' ? parts1 : parts2).filter((part) => used[part.input]?.has(part)).map(passedPart);
    case 'keepNonMatches':
      if (plan.output === 'input1') return unmatched1().map(passedPart);
      if (plan.output === 'input2') return unmatched2().map(passedPart);
      return unmatchedOfBoth(unmatched1(), unmatched2(), couldMatch);
    case 'keepEverything':
      return [...merged(pairs, plan.clash), ...[...unmatched1(), ...unmatched2()].map(alone)];
    case 'enrichInput1':
      return [...merged(pairs, plan.clash), ...unmatched1().map(alone)];
    case 'enrichInput2':
      return [...merged(pairs, plan.clash), ...unmatched2().map(alone)];
  }
}

function match(parts1: readonly Part[], parts2: readonly Part[], plan: FieldsPlan): Matched {
  const [fields1, fields2] = [plan.fields.map(({ field1 }) => field1), plan.fields.map(({ field2 }) => field2)];
  const [input1, input2] = [parts1.map(({ item }) => item), parts2.map(({ item }) => item)];
  if (plan.refuseAbsent) {
    refuseAbsentFields(input1, fields1, 'input 1');
    refuseAbsentFields(input2, fields2, 'input 2');
  }
  const index = new MatchIndex(input2, fields2, plan.equality);
  const keepsPairs = plan.output === 'both' && plan.join !== 'keepNonMatches';
  const matched: Matched = { pairs: [], used: [new Set(), new Set()] };
  for (const part1 of parts1) {
    const positions = index.find(part1.item.json, fields1);
    for (const position of keepsPairs && plan.firstMatchOnly ? positions.slice(0, 1) : positions) {
      const part2 = parts2[position] as Part;
      matched.used[0].add(part1);
      matched.used[1].add(part2);
      if (keepsPairs) addPair(matched.pairs, [part1, part2]);
    }
  }
  return matched;
}

function addPair(pairs: [Part, Part][], pair: [Part, Part]): void {
  MergedItems.refuseMoreThanMax(pairs.length + 1);
  pairs.push(pair);
}

function merged(pairs: readonly [Part, Part][], clash: ClashRules): Item[] {
  const items = new MergedItems(clash);
  for (const pair of pairs) items.add(pair);
  return items.items;
}

/** Items of both inputs, with the name of the input where there could be matches. */
function unmatchedOfBoth(parts1: readonly Part[], parts2: readonly Part[], withSource: boolean): Item[] {
  const parts = [...parts1, ...parts2];
  return parts.map((part) => {
    const item = passedPart(part);
    if (!withSource) return item;
    const json = { ...item.json };
    setOwn(json, '_source', `input${part.input + 1}`);
    return { ...item, json };
  });
}
