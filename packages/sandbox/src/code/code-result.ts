import {
  type Item,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  mapSliced,
  type PairedItem,
  userKeyed,
} from '@sluice/domain';
import type { CodeFile, CodeRunRequest } from '../api.ts';
import { CodeError } from '../errors.ts';

/** Properties that an item may have in addition to `json`. */
const itemKeys = new Set(['json', 'binary', 'pairedItem', 'error', 'index']);

/** Whether the guest received a file with this id. */
type KnowsBinaryId = (id: string) => boolean;

export interface ResultRules {
  mode: CodeRunRequest['mode'];
  inputs: readonly Item[];
  knowsBinaryId: KnowsBinaryId;
  /** Collects the files that the code created. */
  files: CodeFile[];
}

/**
 * Converts a value that user code returned for an input item: an item or a plain object in
 * `eachItem`, its JSON in `functionItem`. It is paired with that input item, because an item of
 * another node has its own links. `undefined` if code in `eachItem` returned null or nothing, which
 * drops the item. Throws a `CodeError` for any other value.
 */
export function toItemOfRun(value: JsonValue | undefined, itemIndex: number, rules: ResultRules): Item | undefined {
  const { mode } = rules;
  if (mode === 'functionItem') return toFunctionItem(value, itemIndex, rules);
  if (value === undefined || value === null) return undefined;
  const item = toItem(value, rules, `item ${itemIndex}: the code must return one object`, itemIndex);
  return { ...item, pairedItem: { item: itemIndex } };
}

/**
 * Converts the value that user code returned for all items: items, plain objects, or a single item
 * or object. A single object is paired with the first input item, as authors expect of
 * `$("Node").item` in later nodes. Throws a `CodeError`.
 */
export async function toItems(value: JsonValue | undefined, rules: ResultRules): Promise<Item[]> {
  const convert = (entry: JsonValue | undefined) =>
    toItem(entry, rules, 'the code must return an array of items, or one object');
  if (Array.isArray(value)) return mapSliced(value, convert);
  const item = convert(value);
  if (rules.inputs.length > 1) item.pairedItem ??= { item: 0 };
  return [item];
}

/**
 * The guest adds the item's files to the JSON that the code returned, which may have any fields.
 */
function toFunctionItem(value: JsonValue | undefined, itemIndex: number, rules: ResultRules): Item {
  const { json, binary } = isJsonObject(value) ? value : {};
  // Old workflows pass lists on as one item.
  if (!isJsonObject(json) && !Array.isArray(json))
    throw new CodeError({ message: `item ${itemIndex}: the code must return one object, not ${nameOf(json)}`, itemIndex });
  return {
    json: json as JsonObject,
    ...(isJsonObject(binary) && { binary: toBinary(binary, rules, itemIndex) }),
    pairedItem: { item: itemIndex },
  };
}

function toItem(value: JsonValue | undefined, rules: ResultRules, wanted: string, itemIndex?: number): Item {
  if (!isJsonObject(value)) throw new CodeError({ message: `${wanted}, not ${nameOf(value)}`, itemIndex });
  if (!Object.hasOwn(value, 'json') && !isFileItem(value)) return { json: value };
  const { json = {}, binary, pairedItem } = value;
  const foreign = Object.keys(value).find((key) => !itemKeys.has(key));
  if (foreign !== undefined) {
    if (!isJsonObject(json)) return { json: value };
    throw new CodeError({ message: `an item cannot have "${foreign}" next to "json": put it into "json"`, itemIndex });
  }
  if (!isJsonObject(json) && !Array.isArray(json))
    throw new CodeError({ message: `"json" of an item must be an object, not ${nameOf(json)}`, itemIndex });
  const item: Item = { json: json as JsonObject };
  if (isJsonObject(binary)) item.binary = toBinary(binary, rules, itemIndex);
  const paired = toPairedItem(pairedItem);
  if (paired !== undefined) item.pairedItem = paired;
  return item;
}

/** Whether an object without JSON is an item with files. */
function isFileItem(value: JsonObject): boolean {
  return isJsonObject(value['binary']) && Object.keys(value).every((key) => itemKeys.has(key));
}

/** References; the files that the code created are added after them once they are stored. */
function toBinary(
  binary: JsonObject,
  { knowsBinaryId, files }: ResultRules,
  itemIndex: number | undefined,
): NonNullable<Item['binary']> {
  const references: NonNullable<Item['binary']> = userKeyed();
  const itemFiles: CodeFile[] = [];
  for (const [key, value] of Object.entries(binary)) {
    const { id, data, mimeType, fileName, fileExtension, directory, fileSize } = isJsonObject(value) ? value : {};
    const description = {
      ...(typeof fileName === 'string' && { fileName }),
      ...(typeof mimeType === 'string' && { mimeType }),
    };
    if (typeof data === 'string') {
      itemFiles.push({ target: references, key, content: bytesOf(data, key, itemIndex), description });
      continue;
    }
    if (typeof id !== 'string' || !knowsBinaryId(id)) {
      const message = `"binary.${key}" is not a file that the code received, and has no base64 content in "data"`;
      throw new CodeError({ message, itemIndex });
    }
    references[key] = {
      id,
      mimeType: 'application/octet-stream',
      ...description,
      ...(typeof fileExtension === 'string' && { fileExtension }),
      ...(typeof directory === 'string' && { directory }),
      ...(typeof fileSize === 'number' && { fileSize }),
    };
  }
  files.push(...itemFiles);
  return references;
}

function bytesOf(data: string, key: string, itemIndex: number | undefined): Buffer {
  const base64 = data.replace(/^data:[^,]{0,200};base64,/, '');
  if (/[^\w+/=\s-]/.test(base64)) throw new CodeError({ message: `"binary.${key}.data" is not base64`, itemIndex });
  return Buffer.from(base64, 'base64');
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
