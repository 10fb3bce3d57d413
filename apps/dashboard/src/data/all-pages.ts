interface ListPage<T> {
  data: T[];
  nextCursor: string | null;
}

interface Position {
  cursor?: string;
}

/** Reads a list to its end, for short lists that a page searches itself. */
export async function allPages<T>(read: (query: Position & { limit: number }) => Promise<ListPage<T>>): Promise<T[]> {
  const rows: T[] = [];
  for (let position: Position = {}; ; ) {
    const { data, nextCursor } = await read({ limit: 250, ...position });
    rows.push(...data);
    if (nextCursor === null) return rows;
    position = { cursor: nextCursor };
  }
}

/** Options of an infinite query that reads a list page by page. */
export function pageByPage<Page extends { nextCursor: string | null }>(
  read: (position: Position, signal: AbortSignal) => Promise<Page>,
) {
  return {
    queryFn: ({ pageParam, signal }: { pageParam: Position; signal: AbortSignal }) => read(pageParam, signal),
    initialPageParam: {} as Position,
    getNextPageParam: ({ nextCursor }: Page) => (nextCursor === null ? undefined : { cursor: nextCursor }),
  };
}
