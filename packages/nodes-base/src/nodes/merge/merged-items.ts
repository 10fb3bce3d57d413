import { type Item, NodeOperationError } from '@sluice/node-sdk';
import { passedItem } from '../../shared/per-item.ts';
import { type ClashRules, mergeJson } from './merge-json.ts';

/** Matches multiply: two inputs of a thousand items can give a million. */
const maxMerged = 1_000_000;

/** An item with where it came from: its input and its place there. */
export interface Part {
  input: number;
  index: number;
  item: Item;
}

export function partsOf(items: readonly Item[], input: number): Part[] {
  return items.map((item, index) => ({ input, index, item }));
}

/** The item as it is, paired with where it came from. */
export function passedPart({ input, index, item }: Part): Item {
  return passedItem(item, index, input);
}

/** Items merged from parts; throws a `NodeOperationError` past a million. */
export class MergedItems {
  readonly items: Item[] = [];
  readonly #clash: ClashRules;

  constructor(clash: ClashRules) {
    this.#clash = clash;
  }

  add(parts: readonly Part[]): void {
    if (this.items.length >= maxMerged)
      throw new NodeOperationError(`the inputs combine to more than ${maxMerged} items`, {
        description: 'Match by more fields, or merge fewer items at a time',
      });
    this.items.push(mergeParts(parts, this.#clash));
  }
}

function mergeParts(parts: readonly Part[], clash: ClashRules): Item {
  const merged: Item = {
    json: mergeJson(
      parts.map(({ input, item }) => ({ input, json: item.json })),
      clash,
    ),
    pairedItem: parts.map(({ input, index }) => ({ item: index, input })),
  };
  const files = parts.flatMap(({ item }) => (item.binary ? [item.binary] : []));
  if (files.length > 0) merged.binary = Object.fromEntries(files.flatMap((binary) => Object.entries(binary)));
  return merged;
}
