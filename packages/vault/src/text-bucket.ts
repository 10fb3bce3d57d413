/**
 * A string counts as found if this many of its first characters match; the match extends to the
 * first difference. Comparing whole long strings at each position would take hours.
 */
export const enoughLength = 256;

/**
 * Sorted starts of strings, each with the index of the longest other start that is its prefix; -1
 * if there is none.
 */
interface Index {
  readonly starts: string[];
  readonly shorter: number[];
}

/**
 * The strings of a `TextFinder` whose first characters have the same hash. A binary search finds
 * the string at a position.
 */
export class TextBucket {
  /** By start. */
  readonly #texts = new Map<string, string[]>();
  #index: Index | undefined;

  add(text: string): void {
    const start = text.slice(0, enoughLength);
    const others = this.#texts.get(start);
    if (others) others.push(text);
    else {
      this.#texts.set(start, [text]);
      this.#index = undefined;
    }
  }

  /** End of the longest text at this position; `at` if there is none. */
  endOf(text: string, at: number): number {
    this.#index ??= indexOf(this.#texts.keys());
    const { starts, shorter } = this.#index;
    const there = text.slice(at, at + enoughLength);
    for (let i = lastUpTo(starts, there); i >= 0; i = shorter[i] as number) {
      const start = starts[i] as string;
      if (!there.startsWith(start)) continue;
      const lengths = (this.#texts.get(start) ?? []).map((candidate) => matchLength(candidate, text, at, start.length));
      return at + lengths.reduce((most, length) => Math.max(most, length));
    }
    return at;
  }
}

function indexOf(texts: Iterable<string>): Index {
  const starts = [...texts].sort((a, b) => (a < b ? -1 : 1));
  const shorter: number[] = [];
  for (const [i, start] of starts.entries()) {
    let before = i - 1;
    while (before >= 0 && !start.startsWith(starts[before] as string)) before = shorter[before] as number;
    shorter.push(before);
  }
  return { starts, shorter };
}

/** Index of the last sorted text that is not greater than `text`; -1 if there is none. */
export function lastUpTo(sorted: readonly string[], text: string): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as string) <= text) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Number of equal characters; `knownLength`: number of characters known to be equal. */
function matchLength(candidate: string, text: string, at: number, knownLength: number): number {
  let length = knownLength;
  while (length < candidate.length && candidate.charCodeAt(length) === text.charCodeAt(at + length)) length++;
  return length;
}
