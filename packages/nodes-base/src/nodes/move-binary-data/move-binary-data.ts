import {
  type ExecuteContext,
  type Item,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  NodeOperationError,
  type NodeType,
  stringifyJson,
} from '@sluice/node-sdk';
import { filesOf, readBinary, storeBinary, storeBinaryByType, withFile, withoutFile } from '../../shared/binary-files.ts';
import { parseFieldPath, readField, withField, withoutField } from '../../shared/field-path.ts';
import { parseJsonText } from '../../shared/json-file.ts';
import { booleanParameter, choiceParameter, describeValue, textParameter } from '../../shared/parameters.ts';
import { mapItemsAsync } from '../../shared/per-item-async.ts';
import { codecParameter } from '../../shared/text-encoding.ts';
import { moveBinaryDataProperties } from './move-binary-data-properties.ts';

export const moveBinaryData: NodeType = {
  description: {
    displayName: 'Convert to/from binary data',
    name: 'move-binary-data',
    deprecated: true,
    group: ['transform'],
    version: [1, 1.1],
    description:
      'Moves data between the fields and the files of items; the predecessor of "Extract from File" and "Convert to File"',
    defaults: { name: 'Convert to/from binary data' },
    inputs: ['main'],
    outputs: ['main'],
    properties: moveBinaryDataProperties,
    icon: 'fa:exchange-alt',
    subtitle: '={{ $parameter["mode"] }}',
  },
  execute: async (context) => [
    await mapItemsAsync(context, (item, itemIndex) => {
      const mode = choiceParameter(context, 'mode', itemIndex, ['binaryToJson', 'jsonToBinary'], 'binaryToJson');
      return mode === 'binaryToJson' ? toJson(context, item, itemIndex) : toBinary(context, item, itemIndex);
    }),
  ],
};

/** An item without the named file is dropped. */
async function toJson(context: ExecuteContext, item: Item, itemIndex: number): Promise<Item[]> {
  const source = nameParameter(context, 'sourceKey', itemIndex);
  if (!item.binary || !Object.hasOwn(item.binary, source)) return [];
  const json = await jsonOf(context, item, itemIndex, source);
  const rest = flag(context, 'keepSource', itemIndex) ? item.binary : withoutFile(item.binary, source);
  return [{ json, ...filesOf(rest), pairedItem: { item: itemIndex } }];
}

async function jsonOf(context: ExecuteContext, item: Item, itemIndex: number, source: string): Promise<JsonObject> {
  const bytes = await readBinary(context, itemIndex, source);
  const setAll = booleanParameter(context, 'setAllData', itemIndex, true);
  const target = parseFieldPath(nameParameter(context, 'destinationKey', itemIndex));
  if (!setAll && flag(context, 'keepAsBase64', itemIndex)) return withField(item.json, target, bytes.toString('base64'));
  const codec = await codecParameter(context, 'options.encoding', itemIndex);
  const text = await codec.decode(bytes, booleanParameter(context, 'options.stripBOM', itemIndex, true));
  if (setAll) return wholeItem(await parseJsonText(text, itemIndex), itemIndex);
  return withField(item.json, target, flag(context, 'jsonParse', itemIndex) ? await parseJsonText(text, itemIndex) : text);
}

/** A list is the item's JSON as is: workflows that use this node read it as a list. */
function wholeItem(value: JsonValue, itemIndex: number): JsonObject {
  if (isJsonObject(value)) return value;
  if (Array.isArray(value)) return value as unknown as JsonObject;
  throw new NodeOperationError(`the file must contain a JSON object or a list, but contains ${describeValue(value)}`, {
    itemIndex,
    description: 'Switch "Set All Data" off to store it in a field',
  });
}

/** An item without the named field is dropped. */
async function toBinary(context: ExecuteContext, item: Item, itemIndex: number): Promise<Item[]> {
  const all = booleanParameter(context, 'convertAllData', itemIndex, true);
  const source = parseFieldPath(nameParameter(context, 'sourceKey', itemIndex));
  const value = all ? item.json : readField(item.json, source);
  if (value === undefined) return [];
  const reference = await storeValue(context, value, itemIndex);
  const rest = all ? {} : withoutField(item.json, source);
  return [
    {
      json: flag(context, 'keepSource', itemIndex) ? item.json : rest,
      binary: withFile(item.binary, nameParameter(context, 'destinationKey', itemIndex), reference),
      pairedItem: { item: itemIndex },
    },
  ];
}

/**
 * The value as JSON, unless it is text to be stored as is, or base64: such a file has the type of
 * its name or content. In version 1, a file has no name.
 */
async function storeValue(context: ExecuteContext, value: JsonValue, itemIndex: number) {
  const option = (name: string) => textParameter(context, `options.${name}`, itemIndex).trim();
  const isBase64 = typeof value === 'string' && flag(context, 'dataIsBase64', itemIndex);
  const isRaw = typeof value === 'string' && flag(context, 'useRawData', itemIndex);
  const mimeType = option('mimeType') || (isBase64 || isRaw ? '' : 'application/json');
  const fileName = option('fileName');
  const store = (content: Uint8Array) =>
    fileName === '' && context.typeVersion < 1.1
      ? storeBinary(context, itemIndex, content, mimeType === '' ? {} : { mimeType })
      : storeBinaryByType(context, itemIndex, content, { fileName, mimeType });
  if (isBase64) return store(Buffer.from(value, 'base64'));
  const codec = await codecParameter(context, 'options.encoding', itemIndex);
  const bytes = await codec.encode(
    isRaw ? value : await stringifyJson(value, { signal: context.signal }),
    flag(context, 'addBOM', itemIndex),
  );
  return store(bytes);
}

function flag(context: ExecuteContext, name: string, itemIndex: number): boolean {
  return booleanParameter(context, `options.${name}`, itemIndex, false);
}

function nameParameter(context: ExecuteContext, name: string, itemIndex: number): string {
  return textParameter(context, name, itemIndex, 'data').trim() || 'data';
}
