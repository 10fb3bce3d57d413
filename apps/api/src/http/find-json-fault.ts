import { TimeSlice } from '@sluice/domain';
import { hashBytes } from './hash-bytes.ts';
import { hashKey, OpenKeys } from './open-keys.ts';

/** Why JSON text is not parsed. */
export type JsonFault =
  | { fault: 'too deep' | 'too many parts' | 'number out of range' }
  /** `path`: a JSON pointer. */
  | { fault: 'repeated key'; path: string };

export interface JsonRules {
  /** Levels of nesting. */
  maxDepth: number;
  /** Whether an object may have a key once only: of two, `JSON.parse` keeps the second without a word. The text has to be UTF-8 then. */
  uniqueKeys: boolean;
}

/**
 * Limit for one text. Each array, object, key, and string is a part; a new key counts as five, because objects with ever new keys take the
 * parser longest. So many parts are parsed and written again in about half a second of processor time.
 */
export const maxJsonParts = 2_000_000;
const newKeyParts = 5;

/** Bytes below which no text has too many parts. */
const lightLength = maxJsonParts / 2;

/** The token that starts at a byte, if any. */
const [string, comma, open, close, digit] = [1, 2, 3, 4, 5];
const starts = new Uint8Array(256);
for (const [begun, bytes] of [
  [string, '"'],
  [comma, ','],
  [open, '[{'],
  [close, ']}'],
  [digit, '0123456789'],
] as const)
  for (const byte of Buffer.from(bytes)) starts[byte] = begun;

const ofNumber = new Uint8Array(256);
for (const byte of Buffer.from('0123456789.eE+-')) ofNumber[byte] = 1;

const [quote, backslash, openObject] = [0x22, 0x5c, 0x7b];

/** No number of fewer characters is larger than a double can be. */
const leastOverflow = '1e309'.length;

/**
 * The first fault in JSON text, found before it is parsed and in one pass over its bytes: more nesting or parts than a parser takes in a moment, a number that a
 * double cannot hold, of which `JSON.parse` makes an infinity, and a key that stands twice in one object. Says nothing about whether the text is JSON.
 */
export function findJsonFault(bytes: Buffer, rules: JsonRules): JsonFault | undefined {
  const reader = new Reader(bytes, rules);
  reader.readTo(bytes.length);
  return reader.fault;
}

/** Bytes that are read in one go: a few milliseconds. */
const pieceLength = 256 * 1024;

/** The same in time slices, for a text of any length. */
export async function findJsonFaultInSlices(bytes: Buffer, rules: JsonRules): Promise<JsonFault | undefined> {
  const reader = new Reader(bytes, rules);
  const slice = new TimeSlice();
  for (let end = pieceLength; !reader.readTo(Math.min(end, bytes.length)); end += pieceLength) {
    if (slice.isOver) await slice.next();
  }
  return reader.fault;
}

class Reader {
  readonly #bytes: Buffer;
  readonly #rules: JsonRules;
  readonly #open: OpenKeys;
  /** `undefined`: so few fit into the text that it does not matter. */
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
      const begun = starts[byte] as number;
      if (begun === string) at = this.#takeString(at);
      else if (begun === comma) this.#next();
      else if (begun === digit) at = this.#takeNumber(at);
      else if (begun === open) this.#enter(byte === openObject);
      else if (begun === close) this.#leave();
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

  /** Gives the place of its last byte, as `#takeNumber` does. */
  #takeString(at: number): number {
    const end = endOfString(this.#bytes, at);
    this.#add(1);
    if (this.#expectsKey) this.#takeKey(at + 1, end);
    this.#expectsKey = false;
    return end;
  }

  /** As a string, it has been counted. */
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
      this.#fault = { fault: 'number out of range' };
    return end - 1;
  }

  #add(parts: number): void {
    this.#parts += parts;
    if (this.#parts > maxJsonParts) this.#fault = { fault: 'too many parts' };
  }
}

/** Where the closing quote of the string stands that begins at `open`; behind the text when there is none. */
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

/** Which hashes have been there: a few new ones are taken for old ones, none the other way round. */
class SeenHashes {
  readonly #words = new Uint32Array(2 ** (seenBits - 5));

  /** Whether it is new. */
  add(hash: number): boolean {
    const place = hash >>> (32 - seenBits);
    const bit = 1 << (place % 32);
    const before = this.#words[place >>> 5] as number;
    this.#words[place >>> 5] = before | bit;
    return (before & bit) === 0;
  }
}
