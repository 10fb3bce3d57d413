import type { ExecuteContext, Item } from '@sluice/node-sdk';
import type { CommunityItem } from '../community-types.ts';
import { isLight, mapCopies } from '../plain-data.ts';
import { deepCopy } from '../workflow-module/json.ts';
import { toCommunityBinary } from './binary-helpers.ts';
import type { SmallFiles } from './small-files.ts';

/** Copied items by input. */
export type ItemCopies = Map<number, CommunityItem[]>;

/** Copies large inputs in time slices beforehand, because packages read items synchronously. */
export async function copyManyItems(
  context: Pick<ExecuteContext, 'items' | 'inputCount'>,
  smallFiles: SmallFiles | undefined,
): Promise<ItemCopies> {
  const copies: ItemCopies = new Map();
  for (let input = 0; input < Math.max(1, context.inputCount); input++) {
    const items = context.items(input);
    if (isLight(items)) continue;
    copies.set(input, await mapCopies(items, (item, index) => toCommunityItem(item, { index, input }, smallFiles)));
  }
  return copies;
}

/**
 * The items of an input in the packages' format. Each input is copied once, because packages change
 * their items.
 */
export function itemReader(
  context: Pick<ExecuteContext, 'items'>,
  smallFiles: SmallFiles | undefined,
  copies: ItemCopies = new Map(),
): (input?: number) => CommunityItem[] {
  return (input = 0) => {
    const cached = copies.get(input);
    if (cached) return cached;
    const items = context.items(input);
    const copy = items.map((item, index) => toCommunityItem(deepCopy(item) as Item, { index, input }, smallFiles));
    copies.set(input, copy);
    return copy;
  };
}

/** A copied item with its pairing, which packages pass on when they spread an item. */
function toCommunityItem(
  { json, binary }: Item,
  { index: item, input }: { index: number; input: number },
  smallFiles: SmallFiles | undefined,
): CommunityItem {
  const files = Object.entries(binary ?? {}).map(([name, file]) => [name, toCommunityBinary(file, smallFiles)] as const);
  return {
    json,
    ...(binary && { binary: Object.fromEntries(files) }),
    pairedItem: input === 0 ? { item } : { item, input },
  };
}
