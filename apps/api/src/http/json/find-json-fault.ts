import { TimeSlice } from '@sluice/domain';
import { hashBytes } from './hash-bytes.ts';
import { hashKey, OpenKeys } from './open-keys.ts';

/** The reason why JSON text is rejected before it is parsed. */
export type JsonFault =
  | { fault: 'too deep' | 'too many parts' }
  /** `path`: a JSON pointer; absent where keys are not tracked. */
  | { fault: 'number out of range'; path?: string }
  | { fault: 'repeated key'; path: string };

export interface JsonRules {
  /** Levels of nesting. */
  maxDepth: number;
  /**
   * Rejects repeated keys in an object, of which `JSON.parse` silently keeps the last. Requires
   * UTF-8.
   */
  uniqueKeys: boolean;
}

/**
 * Maximum number of parts in one text: arrays, objects, keys, and strings. A new key counts as
 * five, because objects with many distinct keys are slowest to parse. Parsing and serializing this
 * many parts takes about half a second of CPU time.
 */
export const maxJsonParts = 2_000_000;
const newKeyParts = 5;

/** A shorter string, in bytes, cannot have too many parts. */
const lightLength = maxJsonParts / 2;

/** The token that starts at a byte, if any. */
const [string, comma, open, close, digit] = [1, 2, 3, 4, 5];
const starts = new Uint8Array(256);
for (const [kind, bytes] of [
  [string, '"'],
  [comma, ','],
  [open, '[{'],
  [close, ']}'],
  [digit, '0123456789'],
] as const)
  for (const byte of Buffer.from(bytes)) starts[byte] = kind;

const ofNumber = new Uint8Array(256);
for (const byte of Buffer.from('0123456789.eE+-')) ofNumber[byte] = 1;

const [quote, backslash, openObject] = [0x22, 0x5c, 0x7b];

/** Length of the shortest number that a double cannot represent, in characters. */
const leastOverflow = '1e309'.length;

/**
 * Finds the first fault in JSON text, in one pass over its bytes, before it is parsed: too much
 * nesting, too many parts, a number that `JSON.parse` would turn into infinity, or a repeated key.
 * Does not check whether the text is valid JSON.
 *
 * Our own scanner, because jsonc-parser's scanner reads a whole token and the space before it in
 * one call: 16 MiB of spaces block the event loop for 3.9 s (0.2 s here), and 390,000 keys take 1.5
 * s (0.4 s).
 */
export function findJsonFault(bytes: Buffer, rules: JsonRules): JsonFault | undefined {
  const reader = new Reader(bytes, rules);
  reader.readTo(bytes.length);
  return reader.fault;
}

/** Bytes read between two checks of the clock: a few milliseconds. */
const sliceLength = 256 * 1024;

/** Like `findJsonFault`, in time slices, for a string of any length. */
export async function findJsonFaultInSlices(bytes: Buffer, rules: JsonRules): Promise<JsonFault | undefined> {
  const reader = new Reader(bytes, rules);
  const slice = new TimeSlice();
  for (let end = sliceLength; !reader.readTo(Math.min(end, bytes.length)); end += sliceLength) {
    if (slice.isOver) await slice.next();
  }
  return reader.fault;
}

class Reader {
  readonly #bytes: Buffer;
  readonly #rules: JsonRules;
  readonly #open: OpenKeys;
  /** `undefined` if the text is too short to have too many parts. */
  readonly #seen: SeenHashes | undefined;
  readonly #hashesKeys: boolean;
  #parts = 0;
  /** Whether a string would be a key. */
  #expectsKey = false;
  #fault: JsonFault | undefined;
  #at = 0;

  constructor(bytes: Buffer, rules: JsonRules) {
    this.#bytes = bytes;
    this.#rules = rules;
    this.#open = new OpenKeys(bytes);
    this.#seen = bytes.length < lightLength ? undefined : new SeenHashes();
    this.#hashesKeys = rules.uniqueKeys || this.#seen !== undefined;
  }

  get fault(): JsonFault | undefined {
    return this.#fault;
  }

  /** Reads tokens that start before `end`. True at a fault, and at the end of the text. */
  readTo(end: number): boolean {
    const bytes = this.#bytes;
    let at = this.#at;
    for (; at < end && !this.#fault; at++) {
      const byte = bytes[at] as number;
      const kind = starts[byte] as number;
      if (kind === string) at = this.#takeString(at);
      else if (kind === comma) this.#next();
      else if (kind === digit) at = this.#takeNumber(at);
      else if (kind === open) this.#enter(byte === openObject);
      else if (kind === close) this.#leave();
    }
    this.#at = at;
    return this.#fault !== undefined || at >= bytes.length;
  }

  #enter(isObject: boolean): void {
    this.#add(1);
    this.#open.enter(isObject);
    this.#expectsKey = isObject;
    if (this.#open.depth > this.#rules.maxDepth) this.#fault = { fault: 'too deep' };
  }

  #leave(): void {
    this.#open.leave();
    this.#expectsKey = false;
  }

  #next(): void {
    this.#expectsKey = this.#open.next();
  }

  /** Returns the position of the last byte, as `#takeNumber` does. */
  #takeString(at: number): number {
    const end = endOfString(this.#bytes, at);
    this.#add(1);
    if (this.#expectsKey) this.#takeKey(at + 1, end);
    this.#expectsKey = false;
    return end;
  }

  /** The key is already counted as a string. */
  #takeKey(start: number, end: number): void {
    if (!this.#hashesKeys) return;
    const hash = this.#rules.uniqueKeys ? hashKey(this.#bytes, start, end) : hashBytes(this.#bytes, start, end);
    if (this.#seen?.add(hash)) this.#add(newKeyParts - 1);
    if (this.#rules.uniqueKeys && !this.#open.addKey(start, end, hash))
      this.#fault ??= { fault: 'repeated key', path: this.#open.path() };
  }

  #takeNumber(at: number): number {
    const end = endOfNumber(this.#bytes, at);
    if (end - at >= leastOverflow && Number(this.#bytes.toString('latin1', at, end)) === Number.POSITIVE_INFINITY)
      this.#fault = { fault: 'number out of range', ...(this.#rules.uniqueKeys && { path: this.#open.path() }) };
    return end - 1;
  }

  #add(parts: number): void {
    this.#parts += parts;
    if (this.#parts > maxJsonParts) this.#fault = { fault: 'too many parts' };
  }
}

/** Position of the closing quote of the string at `open`; without one, the length of the text. */
function endOfString(bytes: Uint8Array, open: number): number {
  const { length } = bytes;
  for (let at = open + 1; at < length; at++) {
    const byte = bytes[at] as number;
    if (byte === quote) return at;
    if (byte === backslash) at++;
  }
  return length;
}

function endOfNumber(bytes: Uint8Array, from: number): number {
  const { length } = bytes;
  for (let at = from + 1; at < length; at++) if (ofNumber[bytes[at] as number] !== 1) return at;
  return length;
}

const seenBits = 21;

/** A set of hashes. May report a new hash as seen, but never a seen one as new. */
class SeenHashes {
  readonly #words = new Uint32Array(2 ** (seenBits - 5));

  /** Adds a hash. Returns whether it is new. */
  add(hash: number): boolean {
    const place = hash >>> (32 - seenBits);
    const bit = 1 << (place % 32);
    const before = this.#words[place >>> 5] as number;
    this.#words[place >>> 5] = before | bit;
    return (before & bit) === 0;
  }
}
