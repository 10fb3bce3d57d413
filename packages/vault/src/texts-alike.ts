/**
 * A text counts as found where this many of its first characters are; what follows belongs to the place as far as it is alike. To
 * compare whole long texts at each place would take hours.
 */
export const enoughLength = 256;

/** Starts of texts, sorted, each with the index of the longest other one that it starts with; -1: none. */
interface Index {
  readonly starts: string[];
  readonly shorter: number[];
}

/** Texts that start alike. Which of them is at a place takes a binary search, however many there are. */
export class TextsAlike {
  /** By their starts. */
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

  /** The end of the longest text that is at this place; `at` if none is. */
  endOf(text: string, at: number): number {
    this.#index ??= indexOf(this.#texts.keys());
    const { starts, shorter } = this.#index;
    const there = text.slice(at, at + enoughLength);
    for (let i = lastUpTo(starts, there); i >= 0; i = shorter[i] as number) {
      const start = starts[i] as string;
      if (!there.startsWith(start)) continue;
      const lengths = (this.#texts.get(start) ?? []).map((candidate) => alikeLength(candidate, text, at, start.length));
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

/** Index of the last of the sorted texts that does not come after `text`; -1 if all do. */
function lastUpTo(sorted: readonly string[], text: string): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as string) <= text) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** How many characters are alike; `known`: so many are. */
function alikeLength(candidate: string, text: string, at: number, known: number): number {
  let length = known;
  while (length < candidate.length && candidate.charCodeAt(length) === text.charCodeAt(at + length)) length++;
  return length;
}
