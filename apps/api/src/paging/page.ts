import type { ListPosition, NewestFirst } from '@sluice/db';
import { type CursorShape, decodeCursor, encodeCursor } from './page-cursors.ts';

/** A page of a list, as the API returns it. */
export interface Page<T> {
  data: T[];
  /** Null on the last page. */
  nextCursor: string | null;
}

/**
 * The first `limit` of the rows, with the cursor of the last one if there are more. `cut`: there
 * are more than `rows`.
 */
export function firstPage<T>(rows: readonly T[], limit: number, cursorOf: (last: T) => string, cut = false): Page<T> {
  const data = rows.slice(0, limit);
  const last = cut || rows.length > limit ? data.at(-1) : undefined;
  return { data, nextCursor: last ? cursorOf(last) : null };
}

export function mapPage<T, V>({ data, nextCursor }: Page<T>, toView: (entry: T) => V): Page<V> {
  return { data: data.map(toView), nextCursor };
}

type Kind = { [K in keyof CursorShape]: CursorShape[K] extends { id: string; at: string } ? K : never }[keyof CursorShape];

interface Created {
  id: string;
  createdAtUs: string;
}

/** `cut`: the page ends before its limit although there are more entries. */
type Found<T> = T[] | { entries: T[]; cut: boolean };

/** One page of a list by creation. Reads one extra entry to learn whether there is a next page. */
export async function pageByCreation<T extends Created>(
  kind: Kind,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
  read: (page: NewestFirst) => Promise<Found<T>>,
): Promise<Page<T>> {
  const found = await read({ limit: limit + 1, after: positionOf(kind, cursor) });
  const { entries, cut } = Array.isArray(found) ? { entries: found, cut: false } : found;
  return firstPage(entries, limit, (last) => encodeCursor(kind, { id: last.id, at: last.createdAtUs }), cut);
}

function positionOf(kind: Kind, cursor: string | undefined): ListPosition | undefined {
  if (cursor === undefined) return undefined;
  const { id, at } = decodeCursor(kind, cursor);
  return { id, createdAtUs: at };
}
