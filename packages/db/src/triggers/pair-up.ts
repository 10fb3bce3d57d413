/**
 * A rule by which a present and a wanted item are the same. `alone`: only if neither matches any
 * other item.
 */
export interface Likeness<Present, Wanted> {
  isSame(present: Present, wanted: Wanted): boolean;
  alone?: boolean;
}

/**
 * Maps wanted items to present ones; each present item is used once. Each rule is applied, in
 * order, to the items that the rules before it left unpaired.
 */
export function pairUp<Present, Wanted>(
  present: readonly Present[],
  wanted: readonly Wanted[],
  likenesses: readonly Likeness<Present, Wanted>[],
): Map<Wanted, Present> {
  const pairs = new Map<Wanted, Present>();
  const free = new Set(present);
  for (const { isSame, alone = false } of likenesses) {
    const open = wanted.filter((one) => !pairs.has(one));
    const unpaired = [...free];
    for (const one of open) {
      const found = unpaired.filter((other) => free.has(other) && isSame(other, one));
      const [first] = found;
      if (first === undefined) continue;
      if (alone && (found.length > 1 || open.filter((other) => isSame(first, other)).length > 1)) continue;
      pairs.set(one, first);
      free.delete(first);
    }
  }
  return pairs;
}
