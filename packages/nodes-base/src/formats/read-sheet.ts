import { type CellObject, CFB, type ParsingOptions, read, utils, type WorkBook, type WorkSheet } from '@e965/xlsx';
import { looksLikeZip, readZip } from '../shared/zip-entries.ts';
import { rowParts } from './row-parts.ts';
import { restoreBackslashes, unescapeRtf } from './rtf-text.ts';
import type { FormatJson, FormatTasks, SheetOptions } from './tasks.ts';

type Task = FormatTasks['readSheet'];

/**
 * A sheet's rows, in parts. Dates are numbers of days, as in Excel, unless the format stores them
 * as strings.
 */
export async function* readSheet({ content, options }: Task['input']): AsyncGenerator<Task['part']> {
  yield* rowParts(rowsOf(sheetOf(await open(content, options), options.sheetName), options));
}

async function open(content: Task['input']['content'], { rawData }: SheetOptions): Promise<WorkBook> {
  const options = { raw: rawData, cellHTML: false, cellFormula: false, bookVBA: false };
  if (typeof content === 'string') {
    return content.startsWith('{\\rtf') ? readRtf(content, options) : read(content, { ...options, type: 'string' });
  }
  return read(looksLikeZip(content) ? await storedArchive(content) : content, { ...options, type: 'array' });
}

/** The library reads each byte as a character and does not decode escapes. */
function readRtf(content: string, options: ParsingOptions): WorkBook {
  const workbook = read(Buffer.from(unescapeRtf(content)), { ...options, type: 'buffer' });
  for (const cell of Object.values(workbook.Sheets).flatMap((sheet) => Object.values(sheet) as CellObject[])) {
    if (typeof cell.v === 'string') cell.v = restoreBackslashes(Buffer.from(cell.v, 'latin1').toString());
  }
  return workbook;
}

/**
 * Limits of an archive-based workbook (xlsx, ods). The size is generous, since sheets compress
 * well.
 */
const limits = { maxBytes: 128 * 1024 * 1024, maxFiles: 5_000 };

/** Repacks the archive uncompressed: the library does not limit its expanded size. */
async function storedArchive(bytes: Uint8Array): Promise<Uint8Array> {
  const archive: unknown = CFB.utils.cfb_new();
  for (const [path, content] of await readZip(bytes, limits)) CFB.utils.cfb_add(archive, path, content);
  return CFB.write(archive, { type: 'buffer', fileType: 'zip' }) as Uint8Array;
}

function sheetOf({ SheetNames: names, Sheets: sheets }: WorkBook, wanted: string | undefined): WorkSheet {
  const name = wanted ?? names[0];
  const sheet = name !== undefined && Object.hasOwn(sheets, name) ? sheets[name] : undefined;
  if (sheet) return sheet;
  if (wanted === undefined) throw new Error('it has no sheets');
  throw new Error(`it has no sheet named "${wanted}"; its sheets are: ${names.join(', ')}`);
}

function rowsOf(sheet: WorkSheet, { headerRow, includeEmptyCells, range }: SheetOptions): FormatJson[] {
  const shared = { ...(range && { range: rangeOf(range) }), ...(includeEmptyCells && { defval: '' }) };
  if (headerRow) return utils.sheet_to_json<FormatJson>(sheet, shared);
  const rows = utils.sheet_to_json<unknown[]>(sheet, { ...shared, header: 1 });
  // A row is a sparse array.
  return rows.map((row) => ({ row: Array.from(row, (cell) => cell ?? null) }));
}

function rangeOf(range: string): string | number {
  return /^\d+$/.test(range) ? Number(range) : range;
}
