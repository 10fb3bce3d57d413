import { type Item, isJsonObject, type JsonObject, type JsonValue, type NodeOutput, type PairedItem } from '@sluice/domain';
import { isFailedItem } from '@sluice/node-sdk';
import { InvalidNodeOutputError } from './errors.ts';
import type { NodeInputs } from './node-inputs.ts';

/**
 * Checks what stands for the output of a node, and copies it to plain items: `json` and `binary` shared, all that is no part of an
 * item left out. With `inputs`, `pairedItem` is filled in where the node left it out and only one reading is possible: there was
 * a single input item, or as many as the output has. Throws `InvalidNodeOutputError`.
 */
export function toNodeOutput(raw: unknown, nodeName: string, inputs?: NodeInputs): NodeOutput {
  if (!Array.isArray(raw)) throw new InvalidNodeOutputError(nodeName, 'it is not an array of outputs');
  const outputs = raw.map((items: unknown, output) => {
    if (items === null || items === undefined) return null;
    if (!Array.isArray(items)) throw new InvalidNodeOutputError(nodeName, `output ${output} is not an array of items`);
    return items.map((item: unknown, index) =>
      toItem(item, (problem) => new InvalidNodeOutputError(nodeName, `item ${index} of output ${output} ${problem}`)),
    );
  });
  if (inputs) pairItems(outputs, inputs);
  return outputs;
}

/** Fills `pairedItem` in, as `toNodeOutput` says, in items that nobody else holds. */
export function pairItems(outputs: NodeOutput, inputs: NodeInputs): void {
  const input = inputs.only;
  if (input === undefined) return;
  const { length } = inputs.items(input);
  for (const items of outputs) {
    if (length !== 1 && length !== items?.length) continue;
    items?.forEach((item, index) => {
      item.pairedItem ??= pairTo(length === 1 ? 0 : index, input);
    });
  }
}

/** The failure of a node as a whole. */
export interface WholeFailure {
  /** What its items hold as `error`. */
  readonly error: JsonValue;
  /** The node took all items at once: one item stands for the failure, not one for each. */
  readonly asOne: boolean;
}

/** What a node gives that failed as a whole and must not end the run: each input item with the error, on output 0. */
export function regularErrorOutput(inputs: NodeInputs, { error, asOne }: WholeFailure): NodeOutput {
  const { items, input } = itemsThatFailed(inputs);
  if (asOne && items.length > 1) return [[{ json: { error } }]];
  return [items.map((_, index) => ({ json: { error }, pairedItem: pairTo(index, input) }))];
}

/** The same for a node with an error output: the input items go there, their JSON kept beside `error`. */
export function errorOutput(inputs: NodeInputs, { error, asOne }: WholeFailure, errorIndex: number): NodeOutput {
  const { items, input } = itemsThatFailed(inputs);
  const regular = Array.from({ length: errorIndex }, () => []);
  if (asOne && items.length > 1) return [...regular, [{ json: { error } }]];
  return [...regular, items.map((item, index) => withError(item, error, pairTo(index, input)))];
}

/**
 * Moves the items that the node itself gave as failed to the error output, restored to the input items they stand for. What a node
 * gives past its own outputs (a filter what it discards) would come out at the error output, and is left out.
 */
export function moveFailedItems(raw: NodeOutput, inputs: NodeInputs, outputCount: number): NodeOutput {
  if (!Array.isArray(raw)) return raw;
  const failed = raw.flatMap((items) => (Array.isArray(items) ? items : []).filter(isFailedItem));
  const own = raw.length > outputCount ? raw.slice(0, outputCount) : raw;
  if (failed.length === 0) return own;
  const regular = Array.from({ length: outputCount }, (_, output) => (own[output] ?? []).filter((item) => !isFailedItem(item)));
  return [...regular, failed.map((item) => restore(item, inputs))];
}

function restore(failed: Item, inputs: NodeInputs): Item {
  const index = (failed.pairedItem as PairedItem).item;
  const input = inputs.only ?? 0;
  return withError(inputs.items(input)[index], failed.json['error'] ?? null, pairTo(index, input));
}

function itemsThatFailed(inputs: NodeInputs): { items: readonly Item[]; input: number } {
  const input = inputs.only ?? 0;
  const items = inputs.items(input);
  return { items: items.length > 0 ? items : [{ json: {} }], input };
}

function withError(item: Item | undefined, error: JsonValue, pairedItem: PairedItem): Item {
  const failed: Item = { json: { ...item?.json, error }, pairedItem };
  if (item?.binary) failed.binary = item.binary;
  return failed;
}

function pairTo(item: number, input: number): PairedItem {
  return input === 0 ? { item } : { item, input };
}

function toItem(raw: unknown, invalid: (problem: string) => Error): Item {
  const noJson = 'has no plain `json`';
  if (!isJsonObject(raw)) throw invalid(noJson);
  const { json, binary, pairedItem } = raw as Partial<Item>;
  // A list is no JSON object, but older nodes give lists, and what is written for them reads `$json` as one.
  if (!Array.isArray(json) && !isPlainObject(json)) throw invalid(noJson);
  const item: Item = { json };
  if (binary !== undefined) item.binary = binary;
  if (pairedItem === undefined || pairedItem === null) return item;
  if (![pairedItem].flat().every(isPair)) throw invalid('has a `pairedItem` that names no input item');
  item.pairedItem = pairedItem;
  return item;
}

/** The index of an input item, alone or with its input and its run. */
function isPair(value: unknown): boolean {
  if (!isJsonObject(value)) return isIndex(value);
  const { item, input = 0, run = 0 } = value as Record<string, unknown>;
  return [item, input, run].every(isIndex);
}

function isIndex(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** An object literal of any realm: its prototype, if any, has none. */
function isPlainObject(value: unknown): value is JsonObject {
  if (!isJsonObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
