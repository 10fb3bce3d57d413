import { useState } from 'react';

interface KeyedEntries {
  entries: readonly unknown[];
  /** React keys, one per entry. */
  keys: readonly number[];
  /** Key of the next new entry. */
  nextKey: number;
}

const noEntries: KeyedEntries = { entries: [], keys: [], nextKey: 0 };

/**
 * React keys for entries that have no identity in the data. An entry keeps its key when it is
 * edited or moved, or when another is removed, so that the state of its fields stays with it.
 */
export function useEntryKeys(entries: readonly unknown[]): readonly number[] {
  const [keyed, setKeyed] = useState(() => withEntries(noEntries, entries));
  if (isSame(keyed.entries, entries)) return keyed.keys;
  const next = withEntries(keyed, entries);
  setKeyed(next);
  return next.keys;
}

/**
 * The keys after a change: an unchanged entry keeps its key at any index. If the number of entries
 * is the same, an edited entry takes the key of the entry that it replaces.
 */
export function withEntries(before: KeyedEntries, entries: readonly unknown[]): KeyedEntries {
  let { nextKey } = before;
  const free = new Map<unknown, number[]>();
  for (const [index, entry] of before.entries.entries()) {
    free.set(entry, [...(free.get(entry) ?? []), before.keys[index] as number]);
  }
  const moved = entries.map((entry) => free.get(entry)?.shift());
  const used = new Set(moved);
  const keys = moved.map((key, index) => {
    if (key !== undefined) return key;
    const replaced = entries.length === before.entries.length ? before.keys[index] : undefined;
    return replaced === undefined || used.has(replaced) ? nextKey++ : replaced;
  });
  return { entries, keys, nextKey };
}

function isSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one === other || (one.length === other.length && one.every((entry, index) => entry === other[index]));
}
