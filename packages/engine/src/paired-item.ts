import type { Item, PairedItem } from '@sluice/domain';
import type { ItemSource, RunState } from './run-state.ts';

/** The position of an item: item `index` of an output. */
interface Place {
  source: ItemSource;
  index: number;
}

/**
 * Follows `pairedItem` from item `index` of an input back to the item of `nodeName` that it was
 * made from.
 *
 * Stops at the first run of that node on each path. Several paths may lead to one item; no item and
 * two different items are errors.
 */
export function tracePairedItem(
  nodeName: string,
  source: ItemSource | null | undefined,
  index: number,
  state: RunState,
): { item: Item } | { error: string } {
  const open: Place[] = source ? [{ source, index }] : [];
  // Run data of a client may contain circular sources, so no item is visited twice.
  const seen = new Set<Item>();
  const matches: Item[] = [];
  let brokenAt: string | undefined;
  for (let place = open.pop(); place !== undefined && matches.length < 2; place = open.pop()) {
    const { from, output } = place.source;
    const item = from.outputs[output]?.[place.index];
    if (item === undefined || seen.has(item)) continue;
    seen.add(item);
    if (from.nodeName === nodeName) matches.push(item);
    else if (item.pairedItem !== undefined) for (const before of placesBefore(place, item.pairedItem, state)) open.push(before);
    else if (from.sources.length > 0) brokenAt ??= from.nodeName;
  }
  return onlyMatch(nodeName, matches, brokenAt);
}

function onlyMatch(nodeName: string, [item, second]: Item[], brokenAt?: string): { item: Item } | { error: string } {
  if (second) return { error: `Multiple matches found: several items of node "${nodeName}" lead to this item` };
  return item ? { item } : { error: notFound(nodeName, brokenAt) };
}

function placesBefore({ source }: Place, paired: number | PairedItem | PairedItem[], state: RunState): Place[] {
  const { from } = source;
  const pairs = typeof paired === 'number' ? [{ item: paired }] : [paired].flat();
  return pairs.flatMap(({ item, input = 0, run }: PairedItem) => {
    const arrivedIn = run === undefined ? from : state.runsOf(from.nodeName)[run];
    const before = arrivedIn?.sources[input];
    return before ? [{ source: before, index: item }] : [];
  });
}

function notFound(nodeName: string, brokenAt: string | undefined): string {
  return brokenAt === undefined
    ? `node "${nodeName}" did not contribute to this item`
    : `no item of node "${nodeName}" can be found for this item: node "${brokenAt}" did not record which item its own was made from`;
}
