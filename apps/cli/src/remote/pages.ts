import { ExitError, exitCodes } from '../exit-codes.ts';

/** Maximum number of entries that the API returns per page. */
const pageSize = 250;

interface Page<T> {
  data: T[];
  nextCursor: string | null;
}

type ReadPage<T> = (page: { limit: number; cursor?: string }) => Promise<Page<T>>;

/** Reads the first `limit` entries of a list, page by page. */
export async function firstEntries<T>(read: ReadPage<T>, limit: number): Promise<T[]> {
  const entries: T[] = [];
  let cursor: string | null = null;
  do {
    const pageLimit = Math.min(pageSize, limit - entries.length);
    const page: Page<T> = await read({ limit: pageLimit, ...(cursor !== null && { cursor }) });
    entries.push(...page.data);
    cursor = page.nextCursor;
  } while (cursor !== null && entries.length < limit);
  return entries;
}

/** The value of `--limit`. Throws an `ExitError` unless it is a number from 1 to 99999. */
export function limitOf(text: string): number {
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
  throw new ExitError(exitCodes.usage, '--limit must be a whole number from 1 to 99999');
}
