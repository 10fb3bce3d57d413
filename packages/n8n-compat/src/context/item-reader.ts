import type { JsonObject } from '@sluice/domain';
import type { ExecuteContext, Item } from '@sluice/node-sdk';
import type { CommunityItem } from '../community-types.ts';
import { deepCopy } from '../workflow-module/json.ts';
import { toCommunityBinary } from './binary-helpers.ts';
import type { HandedFiles } from './handed-files.ts';

/** The items of an input as packages see them. Each input is copied once: packages change their items. */
export function itemReader(
  context: Pick<ExecuteContext, 'items'>,
  handed: HandedFiles | undefined,
): (input?: number) => CommunityItem[] {
  const copies = new Map<number, CommunityItem[]>();
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
