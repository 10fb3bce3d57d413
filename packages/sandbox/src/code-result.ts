import { type Item, isJsonObject, type JsonObject, type JsonValue, mapSliced, type PairedItem } from '@sluice/domain';
import type { CodeRunRequest } from './api.ts';
import { CodeError } from './errors.ts';

/** Properties that an item may have besides `json`. */
const itemKeys = new Set(['json', 'binary', 'pairedItem', 'error', 'index']);

/** Whether the guest received a file with this id. */
type KnowsBinaryId = (id: string) => boolean;

export interface ResultRules {
  mode: CodeRunRequest['mode'];
  inputs: readonly Item[];
  knowsBinaryId: KnowsBinaryId;
}

/**
 * Converts a value that user code returned for an input item: an item or a plain object in
 * `eachItem`, its JSON in `functionItem`. It is paired with that input item, because an item of
 * another node has its own links. `undefined` if code in `eachItem` returned null or nothing, which
 * drops the item. Throws a `CodeError` for any other value.
 */
export function toItemOfRun(value: JsonValue | undefined, itemIndex: number, rules: ResultRules): Item | undefined {
  const { mode, knowsBinaryId, inputs } = rules;
  if (mode === 'functionItem') return toFunctionItem(value, itemIndex, inputs[itemIndex]);
  if (value === undefined || value === null) return undefined;
  const item = toItem(value, knowsBinaryId, `item ${itemIndex}: the code must return one object`, itemIndex);
  return { ...item, pairedItem: { item: itemIndex } };
}

/**
 * Converts the value that user code returned for all items: items, plain objects, or one of either.
 * One object without a list is paired with the first input item, as authors expect of `$("Node").item`
 * in the nodes after it. Throws a `CodeError`.
 */
export async function toItems(value: JsonValue | undefined, { knowsBinaryId, inputs }: ResultRules): Promise<Item[]> {
  const convert = (entry: JsonValue | undefined) =>
    toItem(entry, knowsBinaryId, 'the code must return an array of items, or one object');
  if (Array.isArray(value)) return mapSliced(value, convert);
  const item = convert(value);
  if (inputs.length > 1) item.pairedItem ??= { item: 0 };
  return [item];
}

/** The object is the JSON, whatever its fields; files stay with their item. */
function toFunctionItem(value: JsonValue | undefined, itemIndex: number, input: Item | undefined): Item {
  if (!isJsonObject(value)) {
    throw new CodeError({ message: `item ${itemIndex}: the code must return one object, not ${nameOf(value)}`, itemIndex });
  }
  return { json: value, ...(input?.binary && { binary: input.binary }), pairedItem: { item: itemIndex } };
}

function toItem(value: JsonValue | undefined, knowsBinaryId: KnowsBinaryId, wanted: string, itemIndex?: number): Item {
  if (!isJsonObject(value)) throw new CodeError({ message: `${wanted}, not ${nameOf(value)}`, itemIndex });
  if (!Object.hasOwn(value, 'json')) return { json: value };
  const { json, binary, pairedItem } = value;
  const foreign = Object.keys(value).find((key) => !itemKeys.has(key));
  if (foreign !== undefined) {
    if (!isJsonObject(json)) return { json: value };
    throw new CodeError({ message: `an item cannot have "${foreign}" beside "json": put it into "json"`, itemIndex });
  }
  if (!isJsonObject(json) && !Array.isArray(json))
    throw new CodeError({ message: `"json" of an item must be an object, not ${nameOf(json)}`, itemIndex });
  const item: Item = { json: json as JsonObject };
  if (isJsonObject(binary)) item.binary = toBinary(binary, knowsBinaryId, itemIndex);
  const paired = toPairedItem(pairedItem);
  if (paired !== undefined) item.pairedItem = paired;
  return item;
}

function toBinary(
  binary: JsonObject,
  knowsBinaryId: KnowsBinaryId,
  itemIndex: number | undefined,
): NonNullable<Item['binary']> {
  const references = Object.entries(binary).map(([key, value]) => {
    if (!isJsonObject(value) || typeof value['id'] !== 'string' || !knowsBinaryId(value['id'])) {
      throw new CodeError({ message: `"binary.${key}" is not a file that the code was given`, itemIndex });
    }
    const { id, mimeType, fileName, fileExtension, fileSize } = value;
    const reference = {
      id: id as string,
      mimeType: typeof mimeType === 'string' ? mimeType : 'application/octet-stream',
      ...(typeof fileName === 'string' && { fileName }),
      ...(typeof fileExtension === 'string' && { fileExtension }),
      ...(typeof fileSize === 'number' && { fileSize }),
    };
    return [key, reference] as const;
  });
  return Object.fromEntries(references);
}

/** Invalid links are dropped. */
function toPairedItem(value: JsonValue | undefined): Item['pairedItem'] {
  if (typeof value === 'number') return value;
  if (Array.isArray(value)) {
    const links = value.filter(isPairedItem);
    return links.length === value.length && links.length > 0 ? links : undefined;
  }
  return isPairedItem(value) ? value : undefined;
}

function isPairedItem(value: unknown): value is PairedItem & JsonObject {
  return (
    isJsonObject(value) &&
    typeof value['item'] === 'number' &&
    (value['input'] === undefined || typeof value['input'] === 'number')
  );
}

function nameOf(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}
