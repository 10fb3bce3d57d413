import {
  errorMessage,
  type Item,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type NodeOutput,
  TimeSlice,
} from '@sluice/domain';
import { type BinaryAccess, failedItem } from '@sluice/node-sdk';
import type { CommunityItem } from '../community-types.ts';
import { toReference } from '../context/binary-helpers.ts';
import type { SmallFiles } from '../context/small-files.ts';
import { plainDataInSlices } from '../plain-data.ts';

/** Where files and failed items of the output go. */
interface OutputPorts {
  binary: Pick<BinaryAccess, 'store'>;
  /** Files whose bytes the package received. */
  smallFiles?: SmallFiles;
  /** Items on which the node failed go to a separate output. */
  hasErrorOutput?: boolean;
}

/** Converts a package's output: stores files that it created and marks items that failed. */
export async function toNodeOutput(output: unknown, ports: OutputPorts): Promise<NodeOutput> {
  if (output === null || output === undefined) return [];
  if (!Array.isArray(output)) return output as NodeOutput; // the engine rejects it and names the node
  const outputs = output.every(isLooseItem) && output.length > 0 ? [output] : output;
  return Promise.all(
    outputs.map(async (items: unknown, output) => {
      if (items === null || items === undefined) return null;
      if (!Array.isArray(items)) return items as Item[]; // as above
      return toItems(items, output, ports);
    }),
  );
}

/** Items that are copied, and whose files are stored, concurrently. */
const maxConcurrentItems = 100;

async function toItems(loose: readonly unknown[], output: number, ports: OutputPorts): Promise<Item[]> {
  const slice = new TimeSlice();
  const items: Item[] = [];
  for (let start = 0; start < loose.length; start += maxConcurrentItems) {
    const batch = loose.slice(start, start + maxConcurrentItems);
    items.push(...(await Promise.all(batch.map((item, i) => toItem(item, { output, index: start + i }, ports)))));
    if (slice.isOver) await slice.next();
  }
  return items;
}

function isLooseItem(value: unknown): boolean {
  return isJsonObject(value) && 'json' in value;
}

interface ItemPlace {
  output: number;
  index: number;
}

async function toItem(
  item: unknown,
  place: ItemPlace,
  { binary: files, smallFiles, hasErrorOutput }: OutputPorts,
): Promise<Item> {
  const { index } = place;
  const { json, binary, pairedItem, error } = (item ?? {}) as Partial<CommunityItem>;
  // Items contain only JSON: dates become strings, undefined members are dropped.
  const plain = await plainDataInSlices(json, `${nameOf(place)}: its data`);
  const failure = error ?? (isJsonObject(plain) && Object.keys(plain).length === 1 ? plain['error'] : undefined);
  if (hasErrorOutput && failure !== undefined)
    return failedItem(failure, indexOf(pairedItem) ?? index, await shownError(failure, place));
  const references = await Promise.all(
    Object.entries(binary ?? {})
      .filter(([, file]) => isJsonObject(file))
      .map(async ([name, file]) => [name, await toReference(file, files, smallFiles)] as const),
  );
  return {
    json: plain as JsonObject,
    ...(references.length > 0 && { binary: Object.fromEntries(references) }),
    ...(pairedItem !== undefined && { pairedItem }),
  };
}

function nameOf({ output, index }: ItemPlace): string {
  return `output ${output}, item ${index}`;
}

async function shownError(error: unknown, place: ItemPlace): Promise<JsonValue> {
  return error instanceof Error
    ? errorMessage(error)
    : ((await plainDataInSlices(error, `${nameOf(place)}: its error`)) ?? null);
}

function indexOf(pairedItem: CommunityItem['pairedItem']): number | undefined {
  const first = Array.isArray(pairedItem) ? pairedItem[0] : pairedItem;
  return typeof first === 'number' ? first : first?.item;
}
