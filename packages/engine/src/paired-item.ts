import type { Item, PairedItem } from '@sluice/domain';
import type { FinishedRun, ItemSource, RunState } from './run-state.ts';

/**
 * Follows `pairedItem` from item `index` of an input back to the item of `nodeName` that it was
 * made from.
 *
 * Stops at the first run of that node on each path. Several paths may lead to one item; no item and
 * two different items are errors. An item made from a million others takes some 50 ms.
 */
export function tracePairedItem(
  nodeName: string,
  source: ItemSource | null | undefined,
  index: number,
  state: RunState,
): { item: Item } | { error: string } {
  const search = new OriginSearch(nodeName, state);
  if (source) search.from(source, index);
  const { match, isAmbiguous, brokenAt } = search;
  if (isAmbiguous) return { error: `Multiple matches found: several items of node "${nodeName}" lead to this item` };
  return match ? { item: match } : { error: notFound(nodeName, brokenAt) };
}

/** The pairing of an item of `from`; the first `left` pairs are not followed yet. */
interface OpenPairing {
  readonly from: FinishedRun;
  readonly pairs: readonly (number | PairedItem)[];
  left: number;
}

/** Follows the last pair first. An item may have a million pairs, so nothing is created for a pair, and no pair is copied. */
class OriginSearch {
  match: Item | undefined;
  isAmbiguous = false;
  /** A node on the way that did not record the pairing of its items. */
  brokenAt: string | undefined;
  readonly #nodeName: string;
  readonly #state: RunState;
  readonly #open: OpenPairing[] = [];
  /** Run data of a client may contain circular sources, so no item is visited twice. */
  readonly #visited = new VisitedItems();

  constructor(nodeName: string, state: RunState) {
    this.#nodeName = nodeName;
    this.#state = state;
  }

  from(source: ItemSource, index: number): void {
    this.#visit(source, index);
    for (let last = this.#open.at(-1); last && !this.isAmbiguous; last = this.#open.at(-1)) {
      if (last.left === 0) {
        this.#open.pop();
        continue;
      }
      last.left -= 1;
      const pair = last.pairs[last.left] as number | PairedItem;
      this.#visit(this.#sourceOf(last.from, pair), itemOf(pair));
    }
  }

  /** Visits item `index` of an output and, as long as each item has one pair, the items before it. */
  #visit(start: ItemSource | undefined, startIndex: number): void {
    let [source, index] = [start, startIndex];
    while (source) {
      const { from } = source;
      const items = from.outputs[source.output];
      const item = items?.[index];
      if (!items || !item || !this.#visited.add(items, index)) return;
      if (from.nodeName === this.#nodeName) {
        this.isAmbiguous = this.match !== undefined && this.match !== item;
        this.match = item;
        return;
      }
      const pair = this.#onlyPair(from, item.pairedItem);
      if (pair === undefined) return;
      source = this.#sourceOf(from, pair);
      index = itemOf(pair);
    }
  }

  /** The pair of an item that has one; several are followed later. */
  #onlyPair(from: FinishedRun, paired: Item['pairedItem']): number | PairedItem | undefined {
    if (typeof paired === 'number') return paired;
    if (Array.isArray(paired)) this.#open.push({ from, pairs: paired, left: paired.length });
    else if (paired !== undefined) return paired;
    else if (from.sources.length > 0) this.brokenAt ??= from.nodeName;
    return undefined;
  }

  #sourceOf(from: FinishedRun, pair: number | PairedItem): ItemSource | undefined {
    if (typeof pair === 'number') return from.sources[0] ?? undefined;
    const arrivedIn = pair.run === undefined ? from : this.#state.runsOf(from.nodeName)[pair.run];
    return arrivedIn?.sources[pair.input ?? 0] ?? undefined;
  }
}

function itemOf(pair: number | PairedItem): number {
  return typeof pair === 'number' ? pair : pair.item;
}

/** Visits that a set remembers; for more, one byte per item of an output is faster. */
const fewVisits = 1_000;

/** Remembers which items of outputs were visited; the first 1,000 may be visited twice. */
class VisitedItems {
  readonly #few = new Set<Item>();
  readonly #many = new Map<readonly Item[], Uint8Array>();
  #items: readonly Item[] | undefined;
  #marks: Uint8Array = new Uint8Array();

  /** Returns false if the item was added before. */
  add(items: readonly Item[], index: number): boolean {
    if (this.#few.size < fewVisits) return this.#few.size < this.#few.add(items[index] as Item).size;
    if (items !== this.#items) this.#turnTo(items);
    const isNew = this.#marks[index] === 0;
    this.#marks[index] = 1;
    return isNew;
  }

  #turnTo(items: readonly Item[]): void {
    this.#items = items;
    this.#marks = this.#many.get(items) ?? new Uint8Array(items.length);
    this.#many.set(items, this.#marks);
  }
}

function notFound(nodeName: string, brokenAt: string | undefined): string {
  return brokenAt === undefined
    ? `node "${nodeName}" did not contribute to this item`
    : `no item of node "${nodeName}" can be found for this item: node "${brokenAt}" did not record which item its own was made from`;
}
