import { coercedText, stringOf } from '../shared/coerced-text.ts';
import { escapeRtf } from './rtf-text.ts';
import type { Cell } from './tasks.ts';

/** Column width in twips (1/20 of a point): one inch. */
const columnWidth = 1440;

/** An RTF document of one table, in ASCII. */
export function writeRtfTable(rows: readonly (readonly Cell[])[]): Uint8Array {
  const columns = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const edges = Array.from({ length: columns }, (_, column) => `\\cellx${(column + 1) * columnWidth}`).join('');
  const body = rows.map((row) => `\\trowd\\trautofit1${edges}${row.map(rtfCell).join('')}\\pard\\intbl\\row`);
  return Buffer.from(`{\\rtf1\\ansi\\ansicpg1252\\uc1\n${body.join('\n')}\n}`);
}

function rtfCell(cell: Cell): string {
  const text = typeof cell === 'boolean' ? stringOf(cell).toUpperCase() : coercedText(cell);
  return `\\pard\\intbl ${escapeRtf(text)}\\cell`;
}
