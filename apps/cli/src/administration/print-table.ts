import { printable, type Terminal } from '../terminal.ts';

/** Prints a list: as JSON for programs, or as aligned columns for users. */
export function printTable(
  terminal: Terminal,
  { json, documents, rows }: { json: boolean; documents: readonly unknown[]; rows: readonly (readonly string[])[] },
): void {
  if (json) {
    terminal.line(JSON.stringify(documents, undefined, 2));
    return;
  }
  const cells = rows.map((row) => row.map(printable));
  const widths = (cells[0] ?? []).map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  for (const row of cells)
    terminal.line(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}
