import { type ExecuteContext, type Item, type JsonObject, NodeOperationError, type NodeType } from '@sluice/node-sdk';
import { readCsvRows } from '../../formats/csv-rows.ts';
import { pdfFacts } from '../../formats/pdf-facts.ts';
import { readSheetRows } from '../../formats/sheet-rows.ts';
import { filesOf, withoutFile } from '../../shared/binary-files.ts';
import { parseFieldPath, withField } from '../../shared/field-path.ts';
import { choiceParameter, textParameter } from '../../shared/parameters.ts';
import { mapItemsAsync } from '../../shared/per-item-async.ts';
import { extractFromFileProperties } from './extract-from-file-properties.ts';
import { readValue, type ValueOperation } from './read-value.ts';

const operations = [
  'csv',
  'html',
  'fromIcs',
  'fromJson',
  'ods',
  'pdf',
  'rtf',
  'text',
  'xml',
  'xls',
  'xlsx',
  'binaryToPropery',
] as const;

export const extractFromFile: NodeType = {
  description: {
    displayName: 'Extract from File',
    name: 'extract-from-file',
    group: ['input'],
    version: [1, 1.1],
    description: 'Reads files of items as JSON: one item per row of a table, or one value per file',
    defaults: { name: 'Extract from File' },
    inputs: ['main'],
    outputs: ['main'],
    properties: extractFromFileProperties,
    icon: 'fa:file-export',
    subtitle: '={{ $parameter["operation"] }}',
  },
  execute: async (context) => [await mapItemsAsync(context, (item, itemIndex) => extract(context, item, itemIndex))],
};

async function extract(context: ExecuteContext, item: Item, itemIndex: number): Promise<Item | Item[]> {
  const operation = choiceParameter(context, 'operation', itemIndex, operations, 'csv');
  const property = textParameter(context, 'binaryPropertyName', itemIndex, 'data').trim() || 'data';
  switch (operation) {
    case 'csv':
      return toItems(await readCsvRows(context, itemIndex, property), itemIndex);
    case 'html':
    case 'rtf':
      return toItems(await readSheetRows(context, itemIndex, { property, expected: operation }), itemIndex);
    case 'ods':
    case 'xls':
    case 'xlsx':
      return toItems(await readSheetRows(context, itemIndex, { property, expected: 'workbook' }), itemIndex);
    case 'pdf':
      return withSource(context, item, { itemIndex, property }, (json) => pdf(context, itemIndex, property, json));
    default:
      return withSource(context, item, { itemIndex, property }, (json) =>
        value(context, operation, { itemIndex, property, json }),
      );
  }
}

function toItems(rows: readonly JsonObject[], itemIndex: number): Item[] {
  return rows.map((json) => ({ json, pairedItem: { item: itemIndex } }));
}

/**
 * One item. "Keep Source" keeps the input item's JSON and the file that was read; its other files
 * are always kept.
 */
async function withSource(
  context: ExecuteContext,
  item: Item,
  { itemIndex, property }: { itemIndex: number; property: string },
  read: (source: JsonObject) => Promise<JsonObject>,
): Promise<Item> {
  const keep = choiceParameter(context, 'options.keepSource', itemIndex, ['none', 'json', 'binary', 'both'], 'none');
  const json = await read(keep === 'json' || keep === 'both' ? item.json : {});
  const files = keep === 'binary' || keep === 'both' ? item.binary : withoutFile(item.binary ?? {}, property);
  return { json, ...filesOf(files), pairedItem: { item: itemIndex } };
}

async function pdf(context: ExecuteContext, itemIndex: number, property: string, source: JsonObject): Promise<JsonObject> {
  return {
    ...source,
    ...(await pdfFacts(context, itemIndex, {
      property,
      password: textParameter(context, 'options.password', itemIndex),
    })),
  };
}

async function value(
  context: ExecuteContext,
  operation: ValueOperation,
  { itemIndex, property, json }: { itemIndex: number; property: string; json: JsonObject },
): Promise<JsonObject> {
  const key = textParameter(context, 'destinationKey', itemIndex, 'data').trim();
  if (key === '')
    throw new NodeOperationError('the parameter "destinationKey" is required', {
      itemIndex,
      description: 'Name the field for the value',
    });
  return withField(json, parseFieldPath(key), await readValue(context, operation, itemIndex, property));
}
