import {
  type Item,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  mapSliced,
  type NodeOutput,
  type PairedItem,
} from '@sluice/domain';
import { isFailedItem } from '@sluice/node-sdk';
import { InvalidNodeOutputError } from '../errors.ts';
import { maxItemsAtOnce, type NodeInputs, pairTo } from './node-inputs.ts';

/**
 * Checks the output of a node and copies it to plain items that share `json` and `binary` and drop
 * other members. With `inputs`, fills in `pairedItem` as `pairItems` does. Throws
 * `InvalidNodeOutputError`.
 */
export function toNodeOutput(raw: unknown, nodeName: string, inputs?: NodeInputs): NodeOutput {
  const lists = toLists(raw, nodeName);
  const outputs = lists.map((items, output) => items?.map(itemOf(nodeName, output)) ?? null);
  if (inputs) pairItems(outputs, inputs);
  return outputs;
}

/** Like `toNodeOutput`, in time slices, for outputs of many items. */
export async function toLargeOutput(raw: unknown, nodeName: string, inputs?: NodeInputs): Promise<NodeOutput> {
  const outputs: NodeOutput = [];
  for (const [output, items] of toLists(raw, nodeName).entries()) {
    outputs.push(items && (await mapSliced(items, itemOf(nodeName, output))));
  }
  if (inputs) await pairManyItems(outputs, inputs);
  return outputs;
}

export function isLarge(raw: unknown): boolean {
  if (!Array.isArray(raw)) return false;
  let count = 0;
  for (const items of raw) if (Array.isArray(items)) count += items.length;
  return count > maxItemsAtOnce;
}

function toLists(raw: unknown, nodeName: string): (unknown[] | null)[] {
  if (!Array.isArray(raw)) throw new InvalidNodeOutputError(nodeName, 'it is not an array of outputs');
  return raw.map((items: unknown, output) => {
    if (items === null || items === undefined) return null;
    if (!Array.isArray(items)) throw new InvalidNodeOutputError(nodeName, `output ${output} is not an array of items`);
    return items;
  });
}

function itemOf(nodeName: string, output: number): (item: unknown, index: number) => Item {
  return (item, index) =>
    toItem(item, (problem) => new InvalidNodeOutputError(nodeName, `item ${index} of output ${output} ${problem}`));
}

/**
 * Fills in missing `pairedItem`s if the node took a single item, or if the numbers of input and
 * output items are equal: code receives all of them, even with `executeOnce`. A single item on a
 * single output is paired with the first input item, because workflows in the de facto format
 * expect this for code that returns one item. Changes the items in place.
 */
function pairItems(outputs: NodeOutput, inputs: NodeInputs): void {
  const pairOf = pairingOf(outputs, inputs);
  for (const items of outputs) {
    const pair = items && pairOf?.(items);
    if (pair) items.forEach(pair);
  }
}

/** Like `pairItems`, in time slices. */
export async function pairManyItems(outputs: NodeOutput, inputs: NodeInputs): Promise<void> {
  const pairOf = pairingOf(outputs, inputs);
  for (const items of outputs) {
    const pair = items && pairOf?.(items);
    if (pair) await mapSliced(items, pair);
  }
}

type Pair = (item: Item, index: number) => void;

/** Chooses the pairing for the items of an output; `undefined` if it cannot be determined. */
function pairingOf(outputs: NodeOutput, inputs: NodeInputs): ((items: readonly Item[]) => Pair | undefined) | undefined {
  const input = inputs.only;
  if (input === undefined) return undefined;
  const { length } = inputs.arrived(input);
  const isSole = outputs.length === 1 && outputs[0]?.length === 1;
  const isOne = inputs.count(input) === 1 || (isSole && length > 0);
  const toSame: Pair = (item, index) => {
    item.pairedItem ??= pairTo(index, input);
  };
  const toFirst: Pair = (item) => {
    item.pairedItem ??= pairTo(0, input);
  };
  return (items) => (items.length === length ? toSame : isOne ? toFirst : undefined);
}

/** A failure of the entire node. */
interface WholeFailure {
  /** Value of `error` on the resulting items. */
  readonly error: JsonValue;
  /**
   * The node took all items at once, so the error output gets one item instead of one per input
   * item.
   */
  readonly asOne: boolean;
}

/** Output of a node that, instead of running, passes on all items of an input unchanged. */
export async function passOn(inputs: NodeInputs, input: number): Promise<NodeOutput> {
  return [await mapSliced(inputs.arrived(input), (item, index) => ({ ...item, pairedItem: pairTo(index, input) }))];
}

/**
 * Output of a failed node with an error output: the input items go there, with `error` added to
 * their JSON.
 */
export async function errorOutput(inputs: NodeInputs, { error, asOne }: WholeFailure, errorIndex: number): Promise<NodeOutput> {
  const input = inputs.firstWithItems;
  const items = inputs.items(input);
  const regular = Array.from({ length: errorIndex }, () => []);
  if (items.length === 0 || (asOne && items.length > 1))
    return [...regular, [{ json: { error }, pairedItem: await inputs.allPairs() }]];
  return [...regular, await mapSliced(items, (item, index) => withError(item, error, pairTo(index, input)))];
}

/**
 * Moves items that the node marked as failed, or that report an error, to the error output and
 * restores their input items. Items beyond the node's own outputs (those a filter discards) are
 * dropped; otherwise they would appear on the error output.
 */
export async function moveFailedItems(raw: NodeOutput, inputs: NodeInputs, outputCount: number): Promise<NodeOutput> {
  if (!Array.isArray(raw)) return raw;
  const failed: Item[] = [];
  const regular: Item[][] = Array.from({ length: outputCount }, () => []);
  for (const [output, items] of raw.entries()) {
    const separate = (item: Item) => void (isFailedItem(item) || reportsError(item) ? failed : regular[output])?.push(item);
    if (Array.isArray(items)) await mapSliced(items, separate);
  }
  if (failed.length === 0) return raw.length > outputCount ? raw.slice(0, outputCount) : raw;
  return [...regular, await mapSliced(failed, (item) => restore(item, inputs))];
}

/**
 * Whether the item's JSON is only an `error`, or an `error` and a `message`. Code in the de facto
 * format returns such items to use the error output. The item is not checked yet.
 */
function reportsError(item: Partial<Item> | null | undefined): boolean {
  const json = item?.json;
  if (!isJsonObject(json) || !Object.hasOwn(json, 'error') || !json['error']) return false;
  const size = Object.keys(json).length;
  return size === 1 || (size === 2 && Object.hasOwn(json, 'message'));
}

function restore(failed: Item, inputs: NodeInputs): Item {
  if (!isFailedItem(failed)) return restoreReported(failed, inputs);
  const index = (failed.pairedItem as PairedItem).item;
  const input = inputs.only ?? 0;
  return withError(inputs.items(input)[index], failed.json['error'] ?? null, pairTo(index, input));
}

function restoreReported(reported: Item, inputs: NodeInputs): Item {
  const { pairedItem } = reported;
  if (!isPair(pairedItem) || typeof pairedItem !== 'object') return reported;
  const { item, input = inputs.only ?? 0 } = pairedItem as PairedItem;
  const source = inputs.has(input) ? inputs.allItems(input)[item] : undefined;
  return { ...source, ...reported, json: { ...source?.json, ...reported.json } };
}

function withError(item: Item | undefined, error: JsonValue, pairedItem: PairedItem): Item {
  const failed: Item = { json: { ...item?.json, error }, pairedItem };
  if (item?.binary) failed.binary = item.binary;
  return failed;
}

function toItem(raw: unknown, invalid: (problem: string) => Error): Item {
  const noJson = 'has no plain `json`';
  if (!isJsonObject(raw)) throw invalid(noJson);
  const { json, binary, pairedItem } = raw as Partial<Item>;
  // `json` should be an object, but older nodes return lists, and their workflows read `$json` as a
  // list.
  if (!Array.isArray(json) && !isPlainObject(json)) throw invalid(noJson);
  const item: Item = { json };
  if (binary !== undefined) item.binary = binary;
  if (pairedItem === undefined || pairedItem === null) return item;
  const isPaired = Array.isArray(pairedItem) ? pairedItem.every(isPair) : isPair(pairedItem);
  if (!isPaired) throw invalid('has a `pairedItem` that names no input item');
  item.pairedItem = pairedItem;
  return item;
}

/** Whether the value is an item index, optionally with its input and run. */
function isPair(value: unknown): boolean {
  if (!isJsonObject(value)) return isIndex(value);
  const { item, input = 0, run = 0 } = value as Record<string, unknown>;
  return isIndex(item) && isIndex(input) && isIndex(run);
}

function isIndex(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** Whether the value is an object literal of any realm: its prototype, if any, has no prototype. */
function isPlainObject(value: unknown): value is JsonObject {
  if (!isJsonObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
