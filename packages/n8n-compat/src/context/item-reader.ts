import { type JsonObject, mapSliced } from '@sluice/domain';
import type { ExecuteContext, Item } from '@sluice/node-sdk';
import type { CommunityItem } from '../community-types.ts';
import { deepCopy } from '../workflow-module/json.ts';
import { toCommunityBinary } from './binary-helpers.ts';
import type { HandedFiles } from './handed-files.ts';

/** The copies of an input's items. */
export type ItemCopies = Map<number, CommunityItem[]>;

/** Items that are copied when a package asks for them: a few milliseconds. */
const maxItemsAtOnce = 1_000;

/** Copies in time slices what would take long when a package asks for it, which cannot wait. */
export async function copyManyItems(
  context: Pick<ExecuteContext, 'items' | 'inputCount'>,
  handed: HandedFiles | undefined,
): Promise<ItemCopies> {
  const copies: ItemCopies = new Map();
  for (let input = 0; input < Math.max(1, context.inputCount); input++) {
    const items = context.items(input);
    if (items.length <= maxItemsAtOnce) continue;
    copies.set(input, await mapSliced(items, (item, index) => toCommunityItem(item, { index, input }, handed)));
  }
  return copies;
}

/** The items of an input as packages see them. Each input is copied once: packages change their items. */
export function itemReader(
  context: Pick<ExecuteContext, 'items'>,
  handed: HandedFiles | undefined,
  copies: ItemCopies = new Map(),
): (input?: number) => CommunityItem[] {
  return (input = 0) => {
    const known = copies.get(input);
    if (known) return known;
    const copy = context.items(input).map((item, index) => toCommunityItem(item, { index, input }, handed));
    copies.set(input, copy);
    return copy;
  };
}

/** With what it was made from, which packages that spread an item hand on. */
function toCommunityItem(
  { json, binary }: Item,
  { index: item, input }: { index: number; input: number },
  handed: HandedFiles | undefined,
): CommunityItem {
  const files = Object.entries(binary ?? {}).map(([name, file]) => [name, toCommunityBinary(file, handed)] as const);
  return {
    json: deepCopy(json) as JsonObject,
    ...(binary && { binary: Object.fromEntries(files) }),
    pairedItem: input === 0 ? { item } : { item, input },
  };
}
