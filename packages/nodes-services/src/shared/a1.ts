/** A column's letters: 0 → `A`, 26 → `AA`. */
export function columnLetters(index: number): string {
  const rest = Math.floor(index / 26);
  return (rest > 0 ? columnLetters(rest - 1) : '') + String.fromCharCode(65 + (index % 26));
}

/** A column's index: `A` → 0. */
export function columnIndex(letters: string): number {
  return [...letters.toUpperCase()].reduce((index, letter) => index * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

/** A range in a sheet in A1 notation; without a range, the whole sheet. */
export function rangeIn(title: string, range = ''): string {
  const sheet = `'${title.replaceAll("'", "''")}'`;
  return range === '' ? sheet : `${sheet}!${range}`;
}

/** Row and column at which a range such as `B3:F` starts, 0-based. */
export function startOf(range: string): { row: number; column: number } {
  const [, letters = '', row = ''] = /^(?:.*!)?\$?([A-Za-z]*)\$?(\d*)/.exec(range) ?? [];
  return { row: row === '' ? 0 : Number(row) - 1, column: letters === '' ? 0 : columnIndex(letters) };
}
