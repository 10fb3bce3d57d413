import { type Item, type JsonObject, NodeOperationError } from '@sluice/node-sdk';
import { passedItem } from '../../shared/per-item.ts';
import { type ClashRules, inOrder, mergeJson } from './merge-json.ts';

/** Matches multiply: two inputs of a thousand items can produce a million. */
const maxMerged = 1_000_000;

/** An item with its input and its position there. */
export interface Part {
  input: number;
  index: number;
  item: Item;
}

export function partsOf(items: readonly Item[], input: number): Part[] {
  return items.map((item, index) => ({ input, index, item }));
}

/** The item unchanged, paired with its source. */
export function passedPart({ input, index, item }: Part): Item {
  return passedItem(item, index, input);
}

/** The item with its input's number appended to each field name. */
export function suffixedPart(part: Part): Item {
  const json = mergeJson([{ input: part.input, json: part.item.json }], {
    resolve: 'suffix',
    deep: true,
    overrideEmpty: false,
  });
  return { ...passedPart(part), json };
}

/** Items merged from parts; throws a `NodeOperationError` beyond a million. */
export class MergedItems {
  readonly items: Item[] = [];
  readonly #clash: ClashRules;

  constructor(clash: ClashRules) {
    this.#clash = clash;
  }

  static refuseMoreThanMax(count: number): void {
    if (count <= maxMerged) return;
    throw new NodeOperationError(`the inputs combine to more than ${maxMerged} items`, {
      description: 'Match by more fields, or merge fewer items at a time',
    });
  }

  add(
    parts: readonly Part[],
    merge: (parts: readonly { input: number; json: JsonObject }[]) => JsonObject = this.#merge,
  ): void {
    MergedItems.refuseMoreThanMax(this.items.length + 1);
    const merged: Item = {
      json: merge(parts.map(({ input, item }) => ({ input, json: item.json }))),
      pairedItem: parts.map(({ input, index }) => ({ item: index, input })),
    };
    const files = inOrder(parts, this.#clash).flatMap(({ item }) => (item.binary ? [item.binary] : []));
    if (files.length > 0) merged.binary = Object.fromEntries(files.flatMap((binary) => Object.entries(binary)));
    this.items.push(merged);
  }

  readonly #merge = (parts: readonly { input: number; json: JsonObject }[]) => mergeJson(parts, this.#clash);
}
