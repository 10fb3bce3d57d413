import { TimeSlice } from '@sluice/node-sdk';

export interface RowChange {
  /** Row index in the new state. */
  index: number;
  kind: 'added' | 'updated';
}

/**
 * Compares two states of a list of rows by marks of their content. A row that moved, or that other
 * rows displaced, is not changed. Between two rows that kept their order, each new row pairs with a
 * missing old row and is an update; rows without a partner are additions.
 */
export async function rowChanges(before: readonly string[], after: readonly string[]): Promise<RowChange[]> {
  const matches = matched(before, after);
  const anchors = longestIncreasing(matches);
  const gone = await goneRows(before.length, matches, anchors);
  const slice = new TimeSlice();
  const changes: RowChange[] = [];
  let gap = 0;
  for (let index = 0; index < after.length; index++) {
    if (slice.isOver) await slice.next();
    if (index === anchors[gap]) gap++;
    if (matches[index] !== undefined) continue;
    const remaining = gone[gap] ?? 0;
    gone[gap] = remaining - 1;
    changes.push({ index, kind: remaining > 0 ? 'updated' : 'added' });
  }
  return changes;
}

/** Number of deleted old rows before each anchor, and after the last one. */
async function goneRows(
  length: number,
  matches: readonly (number | undefined)[],
  anchors: readonly number[],
): Promise<number[]> {
  const slice = new TimeSlice();
  const matchedRows = new Set(matches);
  const gone = anchors.map(() => 0);
  let gap = 0;
  for (let index = 0; index < length; index++) {
    if (slice.isOver) await slice.next();
    if (index === matches[anchors[gap] ?? -1]) gap++;
    else if (!matchedRows.has(index)) gone[gap] = (gone[gap] ?? 0) + 1;
  }
  return gone;
}

/** An old row with the same mark for each new row; equal rows in order. */
function matched(before: readonly string[], after: readonly string[]): (number | undefined)[] {
  const places = new Map<string, number[]>();
  for (let index = before.length - 1; index >= 0; index--) {
    const mark = before[index] ?? '';
    const list = places.get(mark);
    if (list) list.push(index);
    else places.set(mark, [index]);
  }
  return after.map((mark) => places.get(mark)?.pop());
}

/** Indices of a longest increasing subsequence (patience sorting). */
function longestIncreasing(values: readonly (number | undefined)[]): number[] {
  const ends: number[] = [];
  const previous = new Map<number, number | undefined>();
  for (const [index, value] of values.entries()) {
    if (value === undefined) continue;
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((values[ends[middle] ?? 0] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    previous.set(index, ends[low - 1]);
    ends[low] = index;
  }
  const indexes: number[] = [];
  for (let index = ends.at(-1); index !== undefined; index = previous.get(index)) indexes.push(index);
  return indexes.reverse();
}
