interface ListPage<T> {
  data: T[];
  nextCursor: string | null;
}

/** Reads a list to its end, for lists that are short and that a page searches by itself. */
export async function allPages<T>(read: (place: { cursor?: string }) => Promise<ListPage<T>>): Promise<T[]> {
  const rows: T[] = [];
  for (let place = {}; ; ) {
    const { data, nextCursor } = await read(place);
    rows.push(...data);
    if (nextCursor === null) return rows;
    place = { cursor: nextCursor };
  }
}
