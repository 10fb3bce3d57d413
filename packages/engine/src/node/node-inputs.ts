import { type Item, mapSliced, type PairedItem } from '@sluice/domain';

/**
 * Inputs of a node run: one list of items per input, or null if nothing arrived. With
 * `executeOnce`, the node takes only the first item of each.
 *
 * Nodes and expressions receive the items without `pairedItem`, which refers to the previous node.
 * A node that passes or spreads its items would otherwise return it as its own pairing.
 */
export class NodeInputs {
  readonly #arrived: readonly (readonly Item[] | null)[];
  readonly #all: (readonly Item[])[] = [];
  readonly #limited: (readonly Item[])[] = [];
  readonly #limit: number;

  constructor(arrived: readonly (readonly Item[] | null)[], executeOnce: boolean) {
    this.#arrived = arrived;
    this.#limit = executeOnce ? 1 : Number.POSITIVE_INFINITY;
  }

  has(input: number): boolean {
    return (this.#arrived[input] ?? null) !== null;
  }

  items(input: number): readonly Item[] {
    const all = this.allItems(input);
    if (all.length <= this.#limit) return all;
    this.#limited[input] ??= all.slice(0, this.#limit);
    return this.#limited[input];
  }

  /**
   * Copies long lists of items in time slices for `items` and `allItems`. Returns `undefined` if
   * all lists are short.
   */
  prepare(): Promise<void> | undefined {
    for (const items of this.#arrived) if (items !== null && items.length > maxItemsAtOnce) return this.#prepare();
    return undefined;
  }

  async #prepare(): Promise<void> {
    for (const [input, items] of this.#arrived.entries()) {
      if (items !== null) this.#all[input] = await mapSliced(items, withoutPairing);
    }
  }

  /** Like `items`, regardless of `executeOnce`: all items are visible to expressions and code. */
  allItems(input: number): readonly Item[] {
    this.#all[input] ??= (this.#arrived[input] ?? []).map(withoutPairing);
    return this.#all[input];
  }

  /** Number of `items`, without a copy of them. */
  count(input: number): number {
    return Math.min(this.arrived(input).length, this.#limit);
  }

  /** Every item that arrived at an input, regardless of `executeOnce`. */
  arrived(input: number): readonly Item[] {
    return this.#arrived[input] ?? [];
  }

  /** The first input that has items; 0 if none do. */
  get firstWithItems(): number {
    return Math.max(
      0,
      this.#arrived.findIndex((items) => items !== null && items.length > 0),
    );
  }

  /** Pairing of an item that represents everything that arrived. */
  async allPairs(): Promise<PairedItem | PairedItem[]> {
    const pairs: PairedItem[] = [];
    for (const [input, items] of this.#arrived.entries())
      await mapSliced(items ?? [], (_, item) => void pairs.push(pairTo(item, input)));
    return pairs.length === 1 ? (pairs[0] as PairedItem) : pairs;
  }

  /** The only input that received items; `undefined` if several did. */
  get only(): number | undefined {
    const first = this.#arrived.findIndex((items) => items !== null);
    return first === this.#arrived.findLastIndex((items) => items !== null) ? first : undefined;
  }
}

/** Maximum number of items checked, copied, or paired in one slice: a few milliseconds of work. */
export const maxItemsAtOnce = 20_000;

/** The pairing with one input item. */
export function pairTo(item: number, input: number): PairedItem {
  return input === 0 ? { item } : { item, input };
}

function withoutPairing(item: Item): Item {
  if (item.pairedItem === undefined) return item;
  return item.binary === undefined ? { json: item.json } : { json: item.json, binary: item.binary };
}
