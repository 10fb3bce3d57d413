import { enoughLength, TextBucket } from './text-bucket.ts';

/** Number of leading characters that a string's hash covers; no string is shorter. */
const headLength = 4;

/** Cost limit of one step, in characters read. */
const stepCost = 16 * 1024;
const lookUpCost = 100;

/** A match: a string from `start` to the character before `end`. */
export interface Match {
  readonly start: number;
  end: number;
}

/**
 * Finds many strings within another in one pass: hashes the four characters at each position and
 * compares only the strings that start with them.
 */
export class TextFinder {
  /** By the hash of their first characters. */
  readonly #texts = new Map<number, TextBucket>();
  /**
   * One byte per hash of a hash, which avoids the map lookup at most positions. Absent without
   * strings, because most executions have no secrets.
   */
  #filter: Uint8Array | undefined;

  /** `text` must have at least four characters and not have been added before. */
  add(text: string): void {
    const hash = hashAt(text, 0);
    const bucket = this.#texts.get(hash) ?? new TextBucket();
    bucket.add(text);
    this.#texts.set(hash, bucket);
    this.#filter ??= new Uint8Array(2 ** 16);
    this.#filter[slotOf(hash)] = 1;
  }

  /**
   * Finds strings that start at `from` or later, and appends their positions to `matches`;
   * overlapping ones are merged. Returns the position reached after a few milliseconds, or the
   * length of `text` at the end.
   */
  find(text: string, from: number, matches: Match[]): number {
    const last = text.length - headLength;
    const filter = this.#filter;
    if (!filter || from > last) return text.length;
    let hash = hashAt(text, from);
    let budget = stepCost;
    for (let at = from; ; ) {
      const occurs = filter[slotOf(hash)] as number;
      const end = occurs && this.#endOf(text, at, hash);
      if (end > at) addMatch(matches, at, end);
      // Strings that start within a long match are skipped.
      if (end - at >= enoughLength) return end;
      at++;
      budget -= 1 + occurs * lookUpCost;
      if (at > last) return text.length;
      if (budget <= 0) return at;
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

/** A character has no effect on the hash after four others. */
function next(hash: number, code: number): number {
  return (hash << 8) ^ code;
}

function slotOf(hash: number): number {
  return Math.imul(hash, 0x9e37_79b1) >>> 16;
}
