import { ExitError, exitCodes } from '../exit-codes.ts';

/** Maximum entries of one page of the API. */
const pageSize = 250;

interface Page<T> {
  data: T[];
  nextCursor: string | null;
}

type ReadPage<T> = (page: { limit: number; cursor?: string }) => Promise<Page<T>>;

/** Yields the entries of a list, up to `limit`; reads a page when its first entry is needed. */
export async function* entriesOf<T>(read: ReadPage<T>, limit = Number.POSITIVE_INFINITY): AsyncGenerator<T> {
  let left = limit;
  let cursor: string | null = null;
  do {
    const page: Page<T> = await read({ limit: Math.min(pageSize, left), ...(cursor !== null && { cursor }) });
    yield* page.data;
    left -= page.data.length;
    cursor = page.nextCursor;
  } while (cursor !== null && left > 0);
}

/** Reads the first `limit` entries of a list. */
export async function firstEntries<T>(read: ReadPage<T>, limit: number): Promise<T[]> {
  const entries: T[] = [];
  for await (const entry of entriesOf(read, limit)) entries.push(entry);
  return entries;
}

/** Parses the value of `--limit`. Throws an `ExitError` unless it is a whole number from 1 to 99999. */
export function limitOf(text: string): number {
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
  throw new ExitError(exitCodes.usage, '--limit must be a whole number from 1 to 99999');
}
