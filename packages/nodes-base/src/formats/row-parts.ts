import type { FormatJson } from './tasks.ts';

/** Rows in one message. */
const rowsPerPart = 1_000;

/** Characters of all rows as JSON: more than a node may give, and little enough to be held. */
const maxLength = 32 * 1024 * 1024;

/** Rows, some at a time. Throws an `Error` once they are too many. */
export async function* rowParts(rows: Iterable<FormatJson> | AsyncIterable<FormatJson>): AsyncGenerator<FormatJson[]> {
  let part: FormatJson[] = [];
  let length = 0;
  for await (const row of rows) {
    length += JSON.stringify(row).length;
    if (length > maxLength) throw new Error(`its rows have more than ${maxLength} characters as JSON`);
    part.push(row);
    if (part.length < rowsPerPart) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}
