import {
  type ExecuteContext,
  type Item,
  type JsonObject,
  type JsonValue,
  NodeOperationError,
  type NodeType,
  stringifyJson,
} from '@sluice/node-sdk';
import { storeCalendar } from '../../formats/calendar-file.ts';
import { storeTable, tableFormats } from '../../formats/sheet-file.ts';
import { storeBinary, storeBinaryByType, withFile } from '../../shared/binary-files.ts';
import { stringOf } from '../../shared/coerced-text.ts';
import { parseFieldPath, readField } from '../../shared/field-path.ts';
import { booleanParameter, choiceParameter, describeValue, requiredText, textParameter } from '../../shared/parameters.ts';
import { failedOrThrow } from '../../shared/per-item.ts';
import { mapItemsAsync, pairedWithAll } from '../../shared/per-item-async.ts';
import { codecParameter } from '../../shared/text-encoding.ts';
import { convertToFileProperties } from './convert-to-file-properties.ts';

const operations = [...tableFormats, 'iCal', 'toJson', 'toText', 'toBinary'] as const;

export const convertToFile: NodeType = {
  description: {
    displayName: 'Convert to File',
    name: 'convert-to-file',
    group: ['input'],
    version: [1, 1.1],
    description: 'Converts items to a file: one for all items, or one per item',
    defaults: { name: 'Convert to File' },
    inputs: ['main'],
    outputs: ['main'],
    properties: convertToFileProperties,
    icon: 'fa:file-import',
    subtitle: '={{ $parameter["operation"] }}',
  },
  async execute(context) {
    if (context.items().length === 0) return [[]];
    const operation = choiceParameter(context, 'operation', 0, operations, 'csv');
    switch (operation) {
      case 'iCal':
        return [await mapItemsAsync(context, (_, itemIndex) => calendarItem(context, itemIndex))];
      case 'toText':
        return [await mapItemsAsync(context, (item, itemIndex) => textItem(context, item, itemIndex))];
      case 'toBinary':
        return [await mapItemsAsync(context, (item, itemIndex) => binaryItem(context, item, itemIndex))];
      case 'toJson':
        if (choiceParameter(context, 'mode', 0, ['once', 'each'], 'once') === 'once') {
          return [
            await fromAll(context, () =>
              storeJson(
                context,
                context.items().map(({ json }) => json),
                0,
              ),
            ),
          ];
        }
        return [
          await mapItemsAsync(context, async ({ json }, itemIndex) =>
            fileItem(context, itemIndex, await storeJson(context, json, itemIndex)),
          ),
        ];
      default:
        return [await fromAll(context, () => storeTable(context, operation, 'File'))];
    }
  },
};

type Reference = Awaited<ReturnType<typeof storeBinary>>;

/** An item that contains only the file. */
function fileItem(context: ExecuteContext, itemIndex: number, reference: Reference): Item {
  const property = textParameter(context, 'binaryPropertyName', itemIndex, 'data').trim() || 'data';
  return { json: {}, binary: withFile(undefined, property, reference), pairedItem: { item: itemIndex } };
}

/** One item for the whole input. */
async function fromAll(context: ExecuteContext, store: () => Promise<Reference>): Promise<Item[]> {
  try {
    return [{ ...fileItem(context, 0, await store()), pairedItem: pairedWithAll(context) }];
  } catch (error) {
    return [failedOrThrow(context, 0, error)];
  }
}

async function storeJson(context: ExecuteContext, value: JsonValue, itemIndex: number): Promise<Reference> {
  const indent = booleanParameter(context, 'options.format', itemIndex, false) ? 2 : 0;
  const text = await stringifyJson(value, { signal: context.signal, indent });
  return storeText(context, text, itemIndex, { fileName: 'file.json', mimeType: 'application/json' });
}

async function textItem(context: ExecuteContext, item: Item, itemIndex: number): Promise<Item> {
  const value = sourceOf(context, item, itemIndex);
  const mimeType = isNested(value) ? 'application/json' : 'text/plain';
  const text = await textOf(context, value);
  return fileItem(context, itemIndex, await storeText(context, text, itemIndex, { fileName: 'file.txt', mimeType }));
}

/** Values whose text is JSON. */
function isNested(value: JsonValue): value is JsonObject | JsonValue[] | null {
  return typeof value === 'object';
}

async function textOf(context: ExecuteContext, value: JsonValue): Promise<string> {
  return isNested(value) ? stringifyJson(value, { signal: context.signal }) : stringOf(value);
}

async function binaryItem(context: ExecuteContext, item: Item, itemIndex: number): Promise<Item> {
  const value = sourceOf(context, item, itemIndex);
  const isBase64 = context.typeVersion > 1 || booleanParameter(context, 'options.dataIsBase64', itemIndex, true);
  const bytes = isBase64
    ? fromBase64(context, value, itemIndex)
    : await encoded(context, await textOf(context, value), itemIndex);
  const fileName = textParameter(context, 'options.fileName', itemIndex).trim();
  const option = textParameter(context, 'options.mimeType', itemIndex).trim();
  const mimeType = !isBase64 && isNested(value) ? 'application/json' : option;
  return fileItem(context, itemIndex, await storeBinaryByType(context, itemIndex, bytes, { fileName, mimeType }));
}

async function calendarItem(context: ExecuteContext, itemIndex: number): Promise<Item> {
  return fileItem(context, itemIndex, await storeCalendar(context, itemIndex));
}

async function storeText(
  context: ExecuteContext,
  text: string,
  itemIndex: number,
  file: { fileName: string; mimeType: string },
): Promise<Reference> {
  const fileName = textParameter(context, 'options.fileName', itemIndex).trim() || file.fileName;
  return storeBinary(context, itemIndex, await encoded(context, text, itemIndex), { ...file, fileName });
}

async function encoded(context: ExecuteContext, text: string, itemIndex: number): Promise<Uint8Array> {
  const codec = await codecParameter(context, 'options.encoding', itemIndex);
  return codec.encode(text, booleanParameter(context, 'options.addBOM', itemIndex, false));
}

/** The field that `sourceProperty` names. */
function sourceOf(context: ExecuteContext, item: Item, itemIndex: number): JsonValue {
  const value = readField(item.json, parseFieldPath(requiredText(context, 'sourceProperty', itemIndex).trim()));
  if (value !== undefined) return value;
  throw wrongSource(context, 'a value', value, itemIndex);
}

function wrongSource(
  context: ExecuteContext,
  expected: string,
  value: JsonValue | undefined,
  itemIndex: number,
): NodeOperationError {
  const name = textParameter(context, 'sourceProperty', itemIndex);
  return new NodeOperationError(`the field "${name}" must contain ${expected}, but is ${describeValue(value)}`, {
    itemIndex,
    description: 'Name the field that contains the content in "sourceProperty"',
  });
}

/** A data URL prefix may precede it. */
function fromBase64(context: ExecuteContext, value: JsonValue, itemIndex: number): Buffer {
  if (typeof value !== 'string') throw wrongSource(context, 'text', value, itemIndex);
  const text = value.replace(/^data:[^,]{0,200};base64,/, '');
  if (!/^[\w+/\s-]*(?:=[=\s]*)?$/.test(text)) throw wrongSource(context, 'a file in base64', value, itemIndex);
  return Buffer.from(text, 'base64');
}
