import { utils, write } from '@e965/xlsx';

/** A workbook with the given rows, by sheet. */
export function sampleSheet(
  sheets: Record<string, (string | number | boolean | Date | null)[][]>,
  format: 'html' | 'ods' | 'rtf' | 'xls' | 'xlsx',
): Buffer {
  const book = utils.book_new();
  for (const [name, rows] of Object.entries(sheets))
    utils.book_append_sheet(book, utils.aoa_to_sheet(rows, { UTC: true }), name);
  return Buffer.from(write(book, { type: 'buffer', bookType: format }) as Uint8Array);
}
