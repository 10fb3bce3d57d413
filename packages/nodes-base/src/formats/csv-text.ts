import { setImmediate } from 'node:timers/promises';
import type { Table } from './table-of-items.ts';
import type { Cell } from './tasks.ts';

/** Cells that are written at once. */
const cellsPerPiece = 10_000;

const byteOrderMark = '\uFEFF';

/**
 * A table as CSV in UTF-8, in pieces: a byte order mark for Excel, then a line for each row, without a
 * line break at the end. Booleans are TRUE and FALSE, as in spreadsheets.
 */
export async function* csvText(table: Table, options: { delimiter: string; headerRow: boolean }): AsyncGenerator<Uint8Array> {
  const { stringify } = await import('csv-stringify/sync');
  const write = (rows: readonly (readonly Cell[])[]) =>
    stringify([...rows], {
      delimiter: options.delimiter,
      eof: false,
      cast: { boolean: (value) => (value ? 'TRUE' : 'FALSE') },
    });
  let piece: (readonly Cell[])[] = options.headerRow ? [table.columns] : [];
  let before = byteOrderMark;
  for (const row of table.rows()) {
    piece.push(row);
    if (piece.length * (table.columns.length + 1) < cellsPerPiece) continue;
    yield Buffer.from(before + write(piece));
    before = '\n';
    piece = [];
    await setImmediate();
  }
  if (piece.length > 0 || before === byteOrderMark) yield Buffer.from(before + write(piece));
}
