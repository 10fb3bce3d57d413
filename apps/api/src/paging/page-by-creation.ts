import type { ListPosition, NewestFirst } from '@sluice/db';
import type { Page } from './page.ts';
import { type CursorShape, decodeCursor, encodeCursor } from './page-cursors.ts';

type Kind = { [K in keyof CursorShape]: CursorShape[K] extends { id: string; at: string } ? K : never }[keyof CursorShape];

interface Created {
  id: string;
  createdAtUs: string;
}

/** `cut`: the page ends before its limit although there are more entries. */
export type Found<T> = T[] | { entries: T[]; cut: boolean };

/** One page of a list by creation. Reads one extra entry to learn whether there is a next page. */
export async function pageByCreation<T extends Created>(
  kind: Kind,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
  read: (page: NewestFirst) => Promise<Found<T>>,
): Promise<Page<T>> {
  const page = await read({ limit: limit + 1, after: positionOf(kind, cursor) });
  const { entries: rows, cut } = Array.isArray(page) ? { entries: page, cut: false } : page;
  const data = rows.slice(0, limit);
  const last = cut || rows.length > limit ? data.at(-1) : undefined;
  return { data, nextCursor: last ? encodeCursor(kind, { id: last.id, at: last.createdAtUs }) : null };
}

function positionOf(kind: Kind, cursor: string | undefined): ListPosition | undefined {
  if (cursor === undefined) return undefined;
  const { id, at } = decodeCursor(kind, cursor);
  return { id, createdAtUs: at };
}
