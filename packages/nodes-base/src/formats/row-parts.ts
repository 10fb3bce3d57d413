import type { FormatJson } from './tasks.ts';

/** Rows in one message. */
const rowsPerPart = 1_000;

/** Characters of all rows as JSON: more than a node may return, and few enough for the heap of a thread. */
const maxLength = 32 * 1024 * 1024;

/** Divides rows into parts. Throws an `Error` if they are too long together. */
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
