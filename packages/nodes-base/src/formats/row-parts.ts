import type { FormatJson } from './tasks.ts';

/** Number of rows in one message. */
const rowsPerPart = 1_000;

/**
 * Maximum JSON length of all rows, in characters: more than a node may return, but small enough for
 * a thread's heap.
 */
const maxLength = 32 * 1024 * 1024;

/** Divides rows into parts. Throws an `Error` if their total length is too large. */
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
