import { type BookType, utils, write } from '@e965/xlsx';
import type { Cell, FormatTasks, SheetFormat } from './tasks.ts';
import { writeHtmlTable } from './write-html-table.ts';
import { writeRtfTable } from './write-rtf-table.ts';

/**
 * Formats that the library writes. It does not escape attributes in HTML, or non-ASCII characters
 * in RTF.
 */
const bookTypes: Readonly<Record<Exclude<SheetFormat, 'html' | 'rtf'>, BookType>> = { ods: 'ods', xls: 'xls', xlsx: 'xlsx' };

export function writeSheet({
  rowsJson,
  header,
  format,
  sheetName,
  compression,
}: FormatTasks['writeSheet']['input']): Uint8Array {
  const rows = JSON.parse(rowsJson) as Cell[][];
  const table = header ? [header.slice(), ...rows] : rows;
  if (format === 'html') return writeHtmlTable(table, sheetName);
  if (format === 'rtf') return writeRtfTable(table);
  const workbook = utils.book_new();
  utils.book_append_sheet(workbook, utils.aoa_to_sheet(table), sheetName);
  return write(workbook, { type: 'buffer', bookType: bookTypes[format], compression }) as Uint8Array;
}
