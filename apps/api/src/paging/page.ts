/** A page of a list, as the API returns it. */
export interface Page<T> {
  data: T[];
  /** Null on the last page. */
  nextCursor: string | null;
}

/** The first `limit` of the rows, with the cursor of the last one if there are more. */
export function firstPage<T>(rows: readonly T[], limit: number, cursorOf: (last: T) => string): Page<T> {
  const data = rows.slice(0, limit);
  const last = rows.length > limit ? data.at(-1) : undefined;
  return { data, nextCursor: last ? cursorOf(last) : null };
}

export function mapPage<T, V>({ data, nextCursor }: Page<T>, toView: (entry: T) => V): Page<V> {
  return { data: data.map(toView), nextCursor };
}
