import { lastUpTo } from './text-bucket.ts';

/** Finds a string at the end of another that contains only its beginning. */
export class TextPrefixes {
  readonly #sorted: readonly string[];
  readonly #length: number;

  /** Compares the first `length` characters of the strings. */
  constructor(texts: Iterable<string>, length: number) {
    this.#length = length;
    this.#sorted = [...new Set([...texts].map((text) => text.slice(0, length)))].sort((a, b) => (a < b ? -1 : 1));
  }

  /**
   * First index at which the rest of `text` is the beginning of a longer string; its length if
   * there is none.
   */
  openEndOf(text: string): number {
    let at = Math.max(0, text.length - this.#length);
    while (at < text.length && !this.#isStart(text.slice(at))) at++;
    return at;
  }

  /** Longer strings that begin with `end` directly follow it in the order. */
  #isStart(end: string): boolean {
    return this.#sorted[lastUpTo(this.#sorted, end) + 1]?.startsWith(end) ?? false;
  }
}
