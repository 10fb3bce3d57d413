import { setImmediate } from 'node:timers/promises';
import type { Table } from './table-of-items.ts';
import type { Cell } from './tasks.ts';

/**
 * Number of characters that are written at once, and the cost of each cell besides its text: about
 * 30 ms for strings of quotes.
 */
const pieceLength = 256 * 1024;
const cellLength = 25;

const byteOrderMark = '\uFEFF';

/**
 * A table as CSV in UTF-8, in pieces: a byte order mark for Excel, then a line for each row,
 * without a line break at the end. Booleans are TRUE and FALSE, as in spreadsheets.
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
  let length = 0;
  let before = byteOrderMark;
  for (const row of table.rows()) {
    piece.push(row);
    length += row.reduce<number>((sum, cell) => sum + cellLength + (typeof cell === 'string' ? cell.length : 0), cellLength);
    if (length < pieceLength) continue;
    yield Buffer.from(before + write(piece));
    before = '\n';
    piece = [];
    length = 0;
    await setImmediate();
  }
  if (piece.length > 0 || before === byteOrderMark) yield Buffer.from(before + write(piece));
}
