interface ListPage<T> {
  data: T[];
  nextCursor: string | null;
}

/** Reads a list to its end, for short lists that a page searches itself. */
export async function allPages<T>(read: (position: { cursor?: string }) => Promise<ListPage<T>>): Promise<T[]> {
  const rows: T[] = [];
  for (let position = {}; ; ) {
    const { data, nextCursor } = await read(position);
    rows.push(...data);
    if (nextCursor === null) return rows;
    position = { cursor: nextCursor };
  }
}
