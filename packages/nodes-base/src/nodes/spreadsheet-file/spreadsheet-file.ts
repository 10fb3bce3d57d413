import type { BinaryReference, ExecuteContext, Item, JsonObject, NodeType } from '@sluice/node-sdk';
import { readCsvRows } from '../../formats/csv-rows.ts';
import { storeTable, tableFormats } from '../../formats/sheet-file.ts';
import { readSheetRows } from '../../formats/sheet-rows.ts';
import { binaryOf, withFile } from '../../shared/binary-files.ts';
import { extensionOf } from '../../shared/file-type.ts';
import { choiceParameter, textParameter } from '../../shared/parameters.ts';
import { failedOrThrow } from '../../shared/per-item.ts';
import { mapItemsAsync, pairedWithAll } from '../../shared/per-item-async.ts';
import { spreadsheetFileProperties } from './spreadsheet-file-properties.ts';

export const spreadsheetFile: NodeType = {
  description: {
    displayName: 'Spreadsheet File',
    name: 'spreadsheet-file',
    deprecated: true,
    group: ['transform'],
    version: [1, 2],
    description:
      'Reads and writes tables: CSV, HTML, ODS, RTF, XLS, and XLSX; the predecessor of "Extract from File" and "Convert to File"',
    defaults: { name: 'Spreadsheet File' },
    inputs: ['main'],
    outputs: ['main'],
    properties: spreadsheetFileProperties,
    icon: 'fa:table',
    subtitle: '={{ $parameter["operation"] }}',
  },
  async execute(context) {
    if (context.items().length === 0) return [[]];
    const operation = choiceParameter(context, 'operation', 0, ['fromFile', 'toFile'], 'fromFile');
    return [operation === 'toFile' ? await toFile(context) : await fromFile(context)];
  },
};

async function fromFile(context: ExecuteContext): Promise<Item[]> {
  return mapItemsAsync(context, async (_, itemIndex) => {
    const rows = await readRows(context, itemIndex);
    return rows.map((json) => ({ json, pairedItem: { item: itemIndex } }));
  });
}

/**
 * Version 1 reads every format as a workbook, whose cells have types: "5" in a CSV file is a
 * number. Version 2 reads the cells of CSV files as text.
 */
async function readRows(context: ExecuteContext, itemIndex: number): Promise<JsonObject[]> {
  const property = textParameter(context, 'binaryPropertyName', itemIndex, 'data').trim() || 'data';
  const format = context.typeVersion > 1 ? formatParameter(context, itemIndex) : 'other';
  if (format === 'csv') return readCsvRows(context, itemIndex, property);
  if (format === 'autodetect' && looksLikeCsv(binaryOf(context, itemIndex, property)))
    return readCsvRows(context, itemIndex, property, { detected: true });
  const expected = format === 'xlsx' || format === 'xls' || format === 'ods' ? 'workbook' : 'any';
  return readSheetRows(context, itemIndex, { property, expected });
}

function formatParameter(context: ExecuteContext, itemIndex: number): string {
  return choiceParameter(context, 'fileFormat', itemIndex, ['autodetect', ...tableFormats], 'autodetect');
}

function looksLikeCsv({ mimeType, fileName = '', fileExtension }: BinaryReference): boolean {
  return mimeType.startsWith('text/csv') || (fileExtension?.toLowerCase() ?? extensionOf(fileName)) === 'csv';
}

async function toFile(context: ExecuteContext): Promise<Item[]> {
  try {
    const format = choiceParameter(context, 'fileFormat', 0, tableFormats, 'xls');
    const property = textParameter(context, 'binaryPropertyName', 0, 'data').trim() || 'data';
    const binary = withFile(undefined, property, await storeTable(context, format, 'spreadsheet'));
    return [{ json: {}, binary, pairedItem: pairedWithAll(context) }];
  } catch (error) {
    return [failedOrThrow(context, 0, error)];
  }
}
