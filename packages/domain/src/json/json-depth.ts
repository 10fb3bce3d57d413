import { TimeSlice } from '../time-slice.ts';

/**
 * Maximum depth of arrays and objects in stored data: far below the depth that overflows the stack
 * of a recursive reader.
 */
export const maxDataDepth = 512;

/**
 * Maximum number of arrays and objects in data that is parsed: an empty array takes 40 bytes of
 * memory, but only three characters of text.
 */
export const maxDataContainers = 2_000_000;

/**
 * Whether JSON text is nested deeper than `maxDepth` levels. A single pass, which usually stops
 * long before the end of a hostile string, for which `JSON.parse` would take seconds. Counts only
 * brackets outside of strings; does not check whether the text is JSON.
 */
export function exceedsDepth(text: string, maxDepth: number): boolean {
  if (text.length <= 2 * maxDepth) return false; // too short to open and close that many
  return new BracketScan(text).run(text.length, maxDepth) === 'deep';
}

/** Characters between two checks of the clock. */
const scanLength = 512 * 1024;

/**
 * `exceedsDepth` in time slices, which also counts: `deep` for a string nested deeper than
 * `maxDepth` levels, `many` for a string with more than `maxContainers` arrays and objects.
 */
export async function excessOf(
  text: string,
  maxDepth: number,
  maxContainers: number = Number.POSITIVE_INFINITY,
): Promise<'deep' | 'many' | undefined> {
  const slice = new TimeSlice();
  const scan = new BracketScan(text);
  for (let end = scanLength; scan.at < text.length; end = scan.at + scanLength) {
    const excess = scan.run(end, maxDepth, maxContainers);
    if (excess) return excess;
    if (slice.isOver) await slice.next();
  }
  return undefined;
}

/** 1 for a bracket that opens a container, -1 for one that closes it, 0 for any other character. */
export function levelsOpened(code: number): 1 | 0 | -1 {
  if (code === 0x5b || code === 0x7b) return 1;
  return code === 0x5d || code === 0x7d ? -1 : 0;
}

class BracketScan {
  readonly #text: string;
  #depth = 0;
  #containers = 0;
  #isInText = false;
  at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Continues reading to `end`. */
  run(end: number, maxDepth: number, maxContainers = Number.POSITIVE_INFINITY): 'deep' | 'many' | undefined {
    const text = this.#text;
    const last = Math.min(end, text.length);
    while (this.at < last) {
      if (this.#isInText) {
        this.#skipText(last);
        continue;
      }
      const code = text.charCodeAt(this.at);
      this.at += 1;
      if (code === 0x22) this.#isInText = true;
      const opened = levelsOpened(code);
      this.#depth += opened;
      if (opened <= 0) continue;
      this.#containers += 1;
      if (this.#depth > maxDepth) return 'deep';
      if (this.#containers > maxContainers) return 'many';
    }
    return undefined;
  }

  #skipText(last: number): void {
    const text = this.#text;
    let at = this.at;
    while (at < last && this.#isInText) {
      const code = text.charCodeAt(at);
      if (code === 0x22) this.#isInText = false;
      at += code === 0x5c ? 2 : 1;
    }
    this.at = at;
  }
}
