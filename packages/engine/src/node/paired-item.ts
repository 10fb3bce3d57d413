import type { GraphIndex, Item, PairedItem } from '@sluice/domain';
import type { FinishedRun, ItemSource, RunState } from './run-state.ts';

/** The item to trace, and the node that takes it. */
interface TracedItem {
  source: ItemSource | null | undefined;
  index: number;
  /** Whether a node leads to that node. */
  isAncestor(nodeName: string): boolean;
}

/**
 * Follows `pairedItem` from an item back to the item of `nodeName` that it was made from.
 *
 * Stops at the first run of that node on each path. Several paths may lead to one item; two
 * different items are an error. If all paths lead to a start without passing the node, the item
 * bypassed it: the result is `undefined` if the node leads here on another branch, as after an If
 * whose branches join, and an error otherwise. Tracing an item made from a million others takes
 * about 50 ms.
 */
export function tracePairedItem(
  nodeName: string,
  { source, index, isAncestor }: TracedItem,
  state: RunState,
  graph: GraphIndex,
): { item: Item | undefined } | { error: string } {
  const search = new OriginSearch(nodeName, state, graph);
  if (source) search.from(source, index);
  const { match, isAmbiguous, brokenAt, isComplete } = search;
  if (isAmbiguous) return { error: `Multiple matches found: several items of node "${nodeName}" lead to this item` };
  if (match) return { item: match };
  const isBypassed = source && isComplete && brokenAt === undefined && isAncestor(nodeName);
  return isBypassed ? { item: undefined } : { error: notFound(nodeName, brokenAt) };
}

/** The pairing of an item of `from`; the first `remaining` pairs have not been followed yet. */
interface OpenPairing {
  readonly from: FinishedRun;
  readonly pairs: readonly (number | PairedItem)[];
  remaining: number;
}

/**
 * Follows the last pair first. An item may have a million pairs, so nothing is created for a pair,
 * and no pair is copied.
 */
class OriginSearch {
  match: Item | undefined;
  isAmbiguous = false;
  /** A node on the path that did not record the pairing of its items. */
  brokenAt: string | undefined;
  /** Whether all paths so far led to the node or to a start of the workflow. */
  isComplete = true;
  readonly #nodeName: string;
  readonly #state: RunState;
  readonly #graph: GraphIndex;
  readonly #open: OpenPairing[] = [];
  /** Run data of a client may contain circular sources, so no item is visited twice. */
  readonly #visited = new VisitedItems();

  constructor(nodeName: string, state: RunState, graph: GraphIndex) {
    this.#nodeName = nodeName;
    this.#state = state;
    this.#graph = graph;
  }

  from(source: ItemSource, index: number): void {
    this.#visit(source, index);
    for (let last = this.#open.at(-1); last && !this.isAmbiguous; last = this.#open.at(-1)) {
      if (last.remaining === 0) {
        this.#open.pop();
        continue;
      }
      last.remaining -= 1;
      const pair = last.pairs[last.remaining] as number | PairedItem;
      this.#visit(this.#sourceOf(last.from, pair), itemOf(pair));
    }
  }

  /** Visits item `index` of an output and, while each item has one pair, the items before it. */
  #visit(start: ItemSource | undefined, startIndex: number): void {
    let [source, index] = [start, startIndex];
    while (source) {
      const { from } = source;
      const items = from.outputs[source.output];
      const item = items?.[index];
      if (!items || !item) this.isComplete = false;
      if (!items || !item || !this.#visited.add(items, index)) return;
      if (from.nodeName === this.#nodeName) {
        this.isAmbiguous = this.match !== undefined && this.match !== item;
        this.match = item;
        return;
      }
      const pair = from.sources.length === 0 ? this.#endAt(from) : this.#onlyPair(from, item.pairedItem);
      if (pair === undefined) return;
      source = this.#sourceOf(from, pair);
      index = itemOf(pair);
    }
  }

  /** The pair of an item that has a single pair; several pairs are followed later. */
  #onlyPair(from: FinishedRun, paired: Item['pairedItem']): number | PairedItem | undefined {
    if (typeof paired === 'number') return paired;
    if (Array.isArray(paired)) this.#open.push({ from, pairs: paired, remaining: paired.length });
    else if (paired !== undefined) return paired;
    else this.brokenAt ??= from.nodeName;
    return undefined;
  }

  #sourceOf(from: FinishedRun, pair: number | PairedItem): ItemSource | undefined {
    const { input = 0, run }: Partial<PairedItem> = typeof pair === 'number' ? {} : pair;
    const arrivedIn = run === undefined ? from : this.#state.runsOf(from.nodeName)[run];
    const source = arrivedIn?.sources[input] ?? undefined;
    if (!source) this.isComplete = false;
    return source;
  }

  /**
   * A run without sources is a start, unless it belongs to an earlier execution and its sources are
   * unknown.
   */
  #endAt({ nodeName }: FinishedRun): undefined {
    if (this.#graph.incoming(nodeName).length > 0) this.isComplete = false;
  }
}

function itemOf(pair: number | PairedItem): number {
  return typeof pair === 'number' ? pair : pair.item;
}

/** Maximum number of visits in a set; above it, one byte per output item is faster. */
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
