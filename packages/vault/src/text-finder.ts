import { enoughLength, TextsAlike } from './texts-alike.ts';

/** Characters of the start of a text that its hash covers; no text is shorter. */
const headLength = 4;

/** Cost of one step: a character that is read costs 1. */
const stepCost = 16 * 1024;
const lookUpCost = 100;

/** A text occurs from `start` to the character before `end`. */
export interface Match {
  readonly start: number;
  end: number;
}

/**
 * Finds many texts within another in one pass, however many there are: it hashes the four characters at each place, and looks only
 * for the texts that start with them.
 */
export class TextFinder {
  /** By the hash of their start. */
  readonly #texts = new Map<number, TextsAlike>();
  /** One byte for each hash of a hash: most places are passed by without a look at the map. */
  readonly #filter = new Uint8Array(2 ** 16);

  /** `text` has four characters at least, and was not added before. */
  add(text: string): void {
    const hash = hashAt(text, 0);
    const alike = this.#texts.get(hash) ?? new TextsAlike();
    alike.add(text);
    this.#texts.set(hash, alike);
    this.#filter[slotOf(hash)] = 1;
  }

  /**
   * Looks for texts that start at `from` or at one of the places after it, and appends their places to `matches`; those that
   * overlap become one. Returns the place that it got to within a few milliseconds: the length of `text` at the end.
   */
  find(text: string, from: number, matches: Match[]): number {
    const last = text.length - headLength;
    if (from > last) return text.length;
    const filter = this.#filter;
    let hash = hashAt(text, from);
    let left = stepCost;
    for (let at = from; ; ) {
      const occurs = filter[slotOf(hash)] as number;
      const end = occurs && this.#endOf(text, at, hash);
      if (end > at) addMatch(matches, at, end);
      // What starts within a long match is not looked for.
      if (end - at >= enoughLength) return end;
      at++;
      left -= 1 + occurs * lookUpCost;
      if (at > last) return text.length;
      if (left <= 0) return at;
      hash = next(hash, text.charCodeAt(at + headLength - 1));
    }
  }

  #endOf(text: string, at: number, hash: number): number {
    return this.#texts.get(hash)?.endOf(text, at) ?? at;
  }
}

function addMatch(matches: Match[], start: number, end: number): void {
  const last = matches.at(-1);
  if (!last || start >= last.end) matches.push({ start, end });
  else if (end > last.end) last.end = end;
}

function hashAt(text: string, start: number): number {
  let hash = 0;
  for (let at = start; at < start + headLength; at++) hash = next(hash, text.charCodeAt(at));
  return hash;
}

/** Nothing is left of a character after four others. */
function next(hash: number, code: number): number {
  return (hash << 8) ^ code;
}

function slotOf(hash: number): number {
  return Math.imul(hash, 0x9e37_79b1) >>> 16;
}
