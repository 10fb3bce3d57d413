import { printable, type Terminal } from '../terminal.ts';

/** Prints one result: as JSON for programs, or as `name  value` lines for users. */
export function printResult(
  terminal: Terminal,
  { json, document, lines }: { json: boolean; document: unknown; lines: readonly (readonly [string, string])[] },
): void {
  const width = Math.max(...lines.map(([name]) => name.length));
  const texts = json
    ? [JSON.stringify(document, undefined, 2)]
    : lines.map(([name, value]) => `${name.padEnd(width)}  ${printable(value)}`);
  for (const text of texts) terminal.line(text);
}

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
