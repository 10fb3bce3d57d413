interface ListPage<T> {
  data: T[];
  nextCursor: string | null;
}

/** Reads a list to its end, for lists that are short and that a page searches by itself. */
export async function allPages<T>(read: (cursor: string | undefined) => Promise<ListPage<T>>): Promise<T[]> {
  const rows: T[] = [];
  for (let cursor: string | undefined; ; ) {
    const { data, nextCursor } = await read(cursor);
    rows.push(...data);
    if (nextCursor === null) return rows;
    cursor = nextCursor;
  }
}
