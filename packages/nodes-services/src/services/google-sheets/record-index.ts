import { type JsonObject, ownProperty, TimeSlice } from '@sluice/node-sdk';
import { asText } from '../../shared/json-values.ts';

/** A column, and its value as text. */
type Condition = readonly [column: string, text: string];

interface Search {
  /** Whether one matching condition is sufficient. */
  isAny: boolean;
  isFirstOnly: boolean;
}

/**
 * Finds a table's records by their values, so that a search for many items does not read all
 * records for each.
 */
export class RecordIndex {
  readonly #records: readonly JsonObject[];
  /** Column → value as text → positions of records. */
  readonly #columns = new Map<string, ReadonlyMap<string, readonly number[]>>();

  constructor(records: readonly JsonObject[]) {
    this.#records = records;
  }

  /** Records that match the conditions, in order. */
  async find(conditions: readonly Condition[], { isAny, isFirstOnly }: Search): Promise<JsonObject[]> {
    const lists: (readonly number[])[] = [];
    for (const [column, text] of conditions) lists.push((await this.#column(column)).get(text) ?? []);
    const isMatch = (record: JsonObject) => conditions.every(([column, text]) => asText(ownProperty(record, column)) === text);
    const matches: JsonObject[] = [];
    const slice = new TimeSlice();
    for (const position of isAny ? merged(lists) : shortestOf(lists)) {
      if (slice.isOver) await slice.next();
      const record = this.#records[position] as JsonObject;
      if (isAny || isMatch(record)) matches.push(record);
      if (isFirstOnly && matches.length > 0) break;
    }
    return matches;
  }

  async #column(column: string): Promise<ReadonlyMap<string, readonly number[]>> {
    const cached = this.#columns.get(column);
    if (cached) return cached;
    const positions = new Map<string, number[]>();
    const slice = new TimeSlice();
    for (const [position, record] of this.#records.entries()) {
      if (slice.isOver) await slice.next();
      const text = asText(ownProperty(record, column));
      const same = positions.get(text);
      if (same) same.push(position);
      else positions.set(text, [position]);
    }
    this.#columns.set(column, positions);
    return positions;
  }
}

const shortestOf = (lists: readonly (readonly number[])[]): readonly number[] =>
  lists.reduce((shortest, list) => (list.length < shortest.length ? list : shortest));

/**
 * The distinct numbers in ascending lists, in ascending order. Lazy, because a search may need only
 * the first.
 */
function* merged(lists: readonly (readonly number[])[]): Generator<number> {
  const next = lists.map(() => 0);
  for (;;) {
    const least = lists.reduce(
      (smallest, list, at) => Math.min(smallest, list[next[at] ?? 0] ?? smallest),
      Number.POSITIVE_INFINITY,
    );
    if (least === Number.POSITIVE_INFINITY) return;
    yield least;
    for (const [at, list] of lists.entries()) if (list[next[at] ?? 0] === least) next[at] = (next[at] ?? 0) + 1;
  }
}
