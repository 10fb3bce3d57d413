/**
 * A rule by which a present and a wanted item are the same: their keys are equal. `undefined`
 * matches no other item. `alone`: applies only if neither matches any other item.
 */
interface MatchRule<Present, Wanted> {
  ofPresent(present: Present): string | undefined;
  ofWanted(wanted: Wanted): string | undefined;
  alone?: boolean;
}

/**
 * Maps wanted items to present ones; each present item is used once. Each rule is applied, in
 * order, to the items that the rules before it left unpaired. Takes linear time.
 */
export function pairUp<Present, Wanted>(
  present: readonly Present[],
  wanted: readonly Wanted[],
  rules: readonly MatchRule<Present, Wanted>[],
): Map<Wanted, Present> {
  const pairs = new Map<Wanted, Present>();
  const free = new Set(present);
  for (const { ofPresent, ofWanted, alone = false } of rules) {
    const presentByKey = Map.groupBy(free, ofPresent);
    const unpairedByKey = Map.groupBy(
      wanted.filter((one) => !pairs.has(one)),
      ofWanted,
    );
    for (const [key, ones] of unpairedByKey) {
      const candidates = (key !== undefined && presentByKey.get(key)) || [];
      if (alone && (candidates.length > 1 || ones.length > 1)) continue;
      for (const [i, other] of candidates.slice(0, ones.length).entries()) {
        pairs.set(ones[i] as Wanted, other);
        free.delete(other);
      }
    }
  }
  return pairs;
}

/** A key of several values. */
export function keyOf(...values: (string | number | null)[]): string {
  return JSON.stringify(values);
}
