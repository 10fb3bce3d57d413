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
