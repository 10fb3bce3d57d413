import { type Item, NodeOperationError } from '@sluice/node-sdk';
import type { FieldPath } from '../../shared/field-path.ts';
import { MatchIndex } from '../../shared/match-index.ts';
import { passedItem } from '../../shared/per-item.ts';
import { refuseAbsentFields } from '../../shared/present-fields.ts';
import type { ComparePlan } from './compare-plan.ts';
import { areSame, type Pair, resolved, sameItem } from './resolve-pair.ts';

/** Items by comparison result, in the order of the node's outputs. */
export interface Comparison {
  onlyIn1: Item[];
  same: Item[];
  different: Item[];
  onlyIn2: Item[];
}

/** Matches multiply: two inputs of a thousand items can produce a million. */
const maxPairs = 1_000_000;

/**
 * Compares two inputs. Items match if their fields to match are equal; empty items take no part.
 * Several items may match the same item of input 2.
 *
 * Throws a `NodeOperationError` for more than a million pairs, and up to version 2.1 for a field to
 * match that no item of an input has.
 */
export function compareItems(input1: readonly Item[], input2: readonly Item[], plan: ComparePlan): Comparison {
  const comparison: Comparison = { onlyIn1: [], same: [], different: [], onlyIn2: [] };
  const [fields1, fields2] = [plan.match.map(({ field1 }) => field1), plan.match.map(({ field2 }) => field2)];
  if (plan.refuseAbsent) refuseAbsent([input1, input2], [fields1, fields2]);
  const index = new MatchIndex(input2, fields2, plan.equality);
  const matched = new Set<number>();
  let pairs = 0;
  for (const [index1, item1] of input1.entries()) {
    if (isEmpty(item1)) continue;
    const positions = index.find(item1.json, fields1).filter((position) => !isEmpty(input2[position] as Item));
    if (positions.length === 0) comparison.onlyIn1.push(passedItem(item1, index1, 0));
    const matches = plan.firstMatchOnly ? positions.slice(0, 1) : positions;
    pairs += matches.length;
    if (pairs > maxPairs) throw tooManyPairs();
    for (const index2 of matches) matched.add(index2);
    const all = matches.map((index2) => ({ index1, index2, item1, item2: input2[index2] as Item }));
    addPairs(all, plan, comparison);
  }
  comparison.onlyIn2 = unmatched(input2, matched);
  return comparison;
}

function unmatched(input2: readonly Item[], matched: ReadonlySet<number>): Item[] {
  return input2.flatMap((item, index2) => (matched.has(index2) || isEmpty(item) ? [] : [passedItem(item, index2, 1)]));
}

/**
 * All pairs of an item of input 1: it is output once as the same, even if several items equal it.
 */
function addPairs(pairs: readonly Pair[], plan: ComparePlan, { same, different }: Comparison): void {
  let isGiven = false;
  for (const pair of pairs) {
    if (!areSame(pair, plan)) different.push(resolved(pair, plan));
    else if (!isGiven) {
      same.push(sameItem(pair, plan));
      isGiven = true;
    }
  }
}

function refuseAbsent([input1, input2]: readonly (readonly Item[])[], [fields1, fields2]: readonly FieldPath[][]): void {
  refuseAbsentFields(input1?.filter((item) => !isEmpty(item)) ?? [], fields1 ?? [], 'input A');
  refuseAbsentFields(input2?.filter((item) => !isEmpty(item)) ?? [], fields2 ?? [], 'input B');
}

function isEmpty({ json }: Item): boolean {
  for (const _ in json) return false;
  return true;
}

function tooManyPairs(): NodeOperationError {
  return new NodeOperationError(`the inputs have more than ${maxPairs} matches`, {
    description: 'Match by more fields, or include the first match only',
  });
}
