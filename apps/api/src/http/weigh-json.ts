import { randomInt } from 'node:crypto';
import { endOfString } from '../limits/scan-json.ts';

/** What keeps JSON text from being parsed. */
export type JsonBurden = 'too deep' | 'too many parts' | 'number out of range';

/**
 * Of one text: each array, object, key and string is a part, and a key that has not been there before is five, since objects of ever new keys take the
 * parser longest. So many parts are parsed and written again in about half a second of processor time.
 */
export const maxJsonParts = 2_000_000;
const newKeyParts = 5;

/** Characters below which no text has too many parts. */
const lightLength = maxJsonParts / 2;

const [quote, colon] = [0x22, 0x3a];
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/** No number of fewer characters is larger than a double can be. */
const shortNumber = '1e309'.length - 1;

/**
 * Looks at JSON text before it is parsed, in one pass: nesting and parts beyond what a parser takes in a moment, and numbers that a double cannot hold, of which
 * `JSON.parse` makes infinities. Says nothing about whether the text is JSON. May be given bytes as Latin-1.
 */
export function weighJson(text: string, maxDepth: number): JsonBurden | undefined {
  const scale = new Scale(text, maxDepth);
  for (let at = 0; at < text.length && !scale.burden; at++) at = scale.take(at);
  return scale.burden;
}

/** What has been seen of a text so far. */
class Scale {
  burden: JsonBurden | undefined;
  readonly #text: string;
  readonly #maxDepth: number;
  /** `undefined`: so few fit into the text that it does not matter. */
  readonly #keys: SeenKeys | undefined;
  #depth = 0;
  #parts = 0;
  /** The last string: before a colon, it is a key. */
  #stringAt = 0;
  #stringEnd = 0;

  constructor(text: string, maxDepth: number) {
    this.#text = text;
    this.#maxDepth = maxDepth;
    this.#keys = text.length < lightLength ? undefined : new SeenKeys();
  }

  /** Looks at what begins at `at`; gives the place of its last character. */
  take(at: number): number {
    const code = this.#text.charCodeAt(at);
    if (code === quote) return this.#takeString(at);
    if (isDigit(code)) return this.#takeNumber(at);
    if (code === colon) this.#takeKey();
    else if (code === openArray || code === openObject) this.#open();
    else if (code === closeArray || code === closeObject) this.#depth--;
    return at;
  }

  #takeString(at: number): number {
    this.#stringAt = at;
    this.#stringEnd = endOfString(this.#text, at);
    this.#add(1);
    return this.#stringEnd;
  }

  #takeNumber(at: number): number {
    const end = endOfNumber(this.#text, at);
    if (end - at > shortNumber && Number(this.#text.slice(at, end)) === Number.POSITIVE_INFINITY)
      this.burden = 'number out of range';
    return end - 1;
  }

  /** As a string, it has been counted. */
  #takeKey(): void {
    if (this.#keys?.add(this.#text, this.#stringAt, this.#stringEnd)) this.#add(newKeyParts - 1);
  }

  #open(): void {
    this.#add(1);
    this.#depth++;
    if (this.#depth > this.#maxDepth) this.burden = 'too deep';
  }

  #add(parts: number): void {
    this.#parts += parts;
    if (this.#parts > maxJsonParts) this.burden = 'too many parts';
  }
}

function endOfNumber(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && isOfNumber(text.charCodeAt(at))) at++;
  return at;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isOfNumber(code: number): boolean {
  return isDigit(code) || code === 0x2e || code === 0x65 || code === 0x45 || code === 0x2b || code === 0x2d; // . e E + -
}

const sketchBits = 2 ** 21;
/** Nobody outside can choose keys that are taken for one another. */
const seed = randomInt(2 ** 32);

/** Which keys have been there, by their hashes: a few new ones are taken for old ones, none the other way round. */
class SeenKeys {
  readonly #bits = new Uint32Array(sketchBits / 32);

  /** Whether it is new. */
  add(text: string, open: number, end: number): boolean {
    const hash = hashOf(text, open + 1, end) % sketchBits;
    const bit = 1 << (hash % 32);
    const word = hash >>> 5;
    const before = this.#bits[word] ?? 0;
    this.#bits[word] = before | bit;
    return (before & bit) === 0;
  }
}

/** FNV-1a from a seed of its own, stirred as MurmurHash3 ends. */
function hashOf(text: string, from: number, end: number): number {
  let hash = seed;
  for (let at = from; at < end; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
