interface Row {
  id: string;
}

interface Merged<T> {
  /** Newest first. */
  rows: T[];
  /** Whether executions between the newest page and the older ones are missing. */
  hasGap: boolean;
}

/**
 * Puts the newest page over pages that were read earlier. Within its range it is complete, so rows
 * that are no longer in it, because they were deleted or left the filter, disappear.
 *
 * @param isComplete whether the newest page has all rows of the list
 */
export function mergeRows<T extends Row>(
  pages: readonly T[],
  newest: readonly T[] | undefined,
  isComplete: boolean,
): Merged<T> {
  if (newest === undefined) return { rows: [...pages], hasGap: false };
  if (isComplete) return { rows: [...newest], hasGap: false };
  const oldest = newest.at(-1);
  if (oldest === undefined) return { rows: [...pages], hasGap: false };
  const older = pages.filter((row) => isOlder(row, oldest));
  const first = pages[0];
  const hasGap = first !== undefined && older.length === pages.length;
  return { rows: [...newest, ...older], hasGap };
}

/** Rows that are still in the time range. */
export function startedSince<T extends { startedAt: string | null }>(rows: readonly T[], since: string | undefined): T[] {
  const from = since === undefined ? Number.NEGATIVE_INFINITY : Date.parse(since);
  return rows.filter(({ startedAt }) => startedAt === null || Date.parse(startedAt) >= from);
}

/** IDs are decimal, and too large for numbers. */
function isOlder(a: Row, b: Row): boolean {
  return a.id.length === b.id.length ? a.id < b.id : a.id.length < b.id.length;
}
