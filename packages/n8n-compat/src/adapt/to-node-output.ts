import {
  errorMessage,
  type Item,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type NodeOutput,
  TimeSlice,
} from '@sluice/domain';
import { type BinaryAccess, failedItem, NodeOperationError } from '@sluice/node-sdk';
import type { CommunityItem } from '../community-types.ts';
import { toReference } from '../context/binary-helpers.ts';
import type { HandedFiles } from '../context/handed-files.ts';
import { plainData } from '../plain-data.ts';

/** Where the output goes. */
interface OutputPorts {
  binary: Pick<BinaryAccess, 'store'>;
  /** Files whose bytes the package was handed. */
  handed?: HandedFiles;
  /** Items that the node failed on come out of an output of their own. */
  hasErrorOutput?: boolean;
}

/** What a package gives, as our output: files that it made by hand are stored, and items that it failed on are marked as such. */
export async function toNodeOutput(given: unknown, ports: OutputPorts): Promise<NodeOutput> {
  if (given === null || given === undefined) return [];
  if (!Array.isArray(given)) return given as NodeOutput; // which the engine refuses, naming the node
  const outputs = given.every(isLooseItem) && given.length > 0 ? [given] : given;
  return Promise.all(
    outputs.map(async (items: unknown, output) => {
      if (items === null || items === undefined) return null;
      if (!Array.isArray(items)) return items as Item[]; // as above
      return toItems(items, output, ports);
    }),
  );
}

/** Items that are copied, and whose files are stored, at once. */
const maxAtOnce = 100;

async function toItems(given: readonly unknown[], output: number, ports: OutputPorts): Promise<Item[]> {
  const slice = new TimeSlice();
  const items: Item[] = [];
  for (let start = 0; start < given.length; start += maxAtOnce) {
    const some = given.slice(start, start + maxAtOnce);
    items.push(...(await Promise.all(some.map((item, i) => toItem(item, { output, index: start + i }, ports)))));
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

async function toItem(given: unknown, place: ItemPlace, { binary: files, handed, hasErrorOutput }: OutputPorts): Promise<Item> {
  const { index } = place;
  const { json, binary, pairedItem, error } = (given ?? {}) as Partial<CommunityItem>;
  const plain = asPlainJson(json, place);
  const failure = error ?? (isJsonObject(plain) && Object.keys(plain).length === 1 ? plain['error'] : undefined);
  if (hasErrorOutput && failure !== undefined) return failedItem(failure, indexOf(pairedItem) ?? index, shownError(failure));
  const references = await Promise.all(
    Object.entries(binary ?? {})
      .filter(([, file]) => isJsonObject(file))
      .map(async ([name, file]) => [name, await toReference(file, files, handed)] as const),
  );
  return {
    json: plain as JsonObject,
    ...(references.length > 0 && { binary: Object.fromEntries(references) }),
    ...(pairedItem !== undefined && { pairedItem }),
  };
}

/** Dates as texts, undefined members left out: what JSON makes of it. Items hold nothing else. */
function asPlainJson(json: unknown, { output, index }: ItemPlace): JsonValue | undefined {
  if (json === undefined) return undefined;
  try {
    return JSON.parse(JSON.stringify(json)) as JsonValue;
  } catch (error) {
    // What engines say of circles goes on for lines.
    const [reason] = errorMessage(error).split('\n');
    throw new NodeOperationError(`output ${output}, item ${index}: its data are no JSON (${reason})`, { cause: error });
  }
}

function shownError(error: unknown): JsonValue {
  return error instanceof Error ? errorMessage(error) : (plainData(error) ?? null);
}

function indexOf(pairedItem: CommunityItem['pairedItem']): number | undefined {
  const first = Array.isArray(pairedItem) ? pairedItem[0] : pairedItem;
  return typeof first === 'number' ? first : first?.item;
}
