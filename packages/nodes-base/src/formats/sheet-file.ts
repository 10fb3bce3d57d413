import { type BinaryReference, type ExecuteContext, TimeSlice } from '@sluice/node-sdk';
import { storeBinary } from '../shared/binary-files.ts';
import { booleanParameter, textParameter } from '../shared/parameters.ts';
import { csvText } from './csv-text.ts';
import { formatFailure, runFormat } from './run-format.ts';
import { type Table, tableOfItems } from './table-of-items.ts';
import type { SheetFormat } from './tasks.ts';

type TableFormat = SheetFormat | 'csv';
export const tableFormats: readonly TableFormat[] = ['csv', 'html', 'ods', 'rtf', 'xls', 'xlsx'];

const mimeTypes: Readonly<Record<TableFormat, string>> = {
  csv: 'text/csv',
  html: 'text/html',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  rtf: 'application/rtf',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/**
 * Stores one file with all items of input 0 as table rows, by the parameters below `options`.
 * Without the option `fileName`, the file is named `defaultName`, with the format's extension.
 */
export async function storeTable(context: ExecuteContext, format: TableFormat, defaultName: string): Promise<BinaryReference> {
  const table = await tableOfItems(context.items());
  const content = format === 'csv' ? csvOf(context, table) : await sheetOf(context, table, format);
  const fileName = textParameter(context, 'options.fileName', 0).trim() || `${defaultName}.${format}`;
  return storeBinary(context, 0, content, { fileName, mimeType: mimeTypes[format] });
}

function csvOf(context: ExecuteContext, table: Table): AsyncIterable<Uint8Array> {
  const delimiter = textParameter(context, 'options.delimiter', 0).replace(/^\\t$/, '\t') || ',';
  return csvText(table, { delimiter, headerRow: hasHeader(context) });
}

async function sheetOf(context: ExecuteContext, table: Table, format: SheetFormat): Promise<Uint8Array> {
  const input = {
    rowsJson: await rowsJson(table),
    header: hasHeader(context) ? table.columns : undefined,
    format,
    sheetName: textParameter(context, 'options.sheetName', 0) || 'Sheet',
    compression: booleanParameter(context, 'options.compression', 0, false),
  };
  try {
    const [bytes = new Uint8Array()] = await runFormat(context, 'writeSheet', input);
    return bytes;
  } catch (error) {
    throw formatFailure(error, 'the spreadsheet cannot be written', 0, 'Check the node’s options and the size of its items');
  }
}

/** In time slices. */
async function rowsJson(table: Table): Promise<string> {
  const slice = new TimeSlice();
  const rows: string[] = [];
  for (const row of table.rows()) {
    rows.push(JSON.stringify(row));
    if (slice.isOver) await slice.next();
  }
  return `[${rows.join(',')}]`;
}

function hasHeader(context: ExecuteContext): boolean {
  return booleanParameter(context, 'options.headerRow', 0, true);
}
