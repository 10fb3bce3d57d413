import { ExitError, exitCodes } from '../exit-codes.ts';

/** Most entries of one page of the API. */
const pageSize = 250;

interface Page<T> {
  data: T[];
  nextCursor: string | null;
}

type ReadPage<T> = (page: { limit: number; cursor?: string }) => Promise<Page<T>>;

/** The entries of a list, page by page; `most` of them at most. */
export async function* entriesOf<T>(read: ReadPage<T>, most = Number.POSITIVE_INFINITY): AsyncGenerator<T> {
  let left = most;
  let cursor: string | null = null;
  do {
    const page: Page<T> = await read({ limit: Math.min(pageSize, left), ...(cursor !== null && { cursor }) });
    yield* page.data;
    left -= page.data.length;
    cursor = page.nextCursor;
  } while (cursor !== null && left > 0);
}

/** The first entries of a list. */
export async function firstEntries<T>(read: ReadPage<T>, most: number): Promise<T[]> {
  const found: T[] = [];
  for await (const entry of entriesOf(read, most)) found.push(entry);
  return found;
}

/** The value of `--limit`. */
export function limitOf(text: string): number {
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
  throw new ExitError(exitCodes.usage, '--limit must be a whole number from 1 to 99999');
}
