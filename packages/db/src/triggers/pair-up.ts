/** Whether something that is there, and something that is wanted, are one. `alone`: only where neither could be another one as well. */
export interface Likeness<Present, Wanted> {
  isSame(present: Present, wanted: Wanted): boolean;
  alone?: boolean;
}

/** What is wanted → what is there already, none of it twice. Each likeness is looked for among what the ones before it have left, in the order given. */
export function pairUp<Present, Wanted>(
  present: readonly Present[],
  wanted: readonly Wanted[],
  likenesses: readonly Likeness<Present, Wanted>[],
): Map<Wanted, Present> {
  const pairs = new Map<Wanted, Present>();
  const free = new Set(present);
  for (const { isSame, alone = false } of likenesses) {
    const open = wanted.filter((one) => !pairs.has(one));
    const left = [...free];
    for (const one of open) {
      const found = left.filter((other) => free.has(other) && isSame(other, one));
      const [first] = found;
      if (first === undefined) continue;
      if (alone && (found.length > 1 || open.filter((other) => isSame(first, other)).length > 1)) continue;
      pairs.set(one, first);
      free.delete(first);
    }
  }
  return pairs;
}
