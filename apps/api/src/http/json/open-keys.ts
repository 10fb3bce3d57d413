import { hashBytes } from './hash-bytes.ts';

/** An object or array that has not ended yet. */
interface Level {
  isObject: boolean;
  /** Number of finished elements. */
  element: number;
  /** Number of keys of the outer levels. */
  outerKeys: number;
  /** Hash table of an object with many keys: the last key of each chain, 1-based; 0: none. */
  chains: Int32Array | undefined;
}

/** Up to this many keys, a linear search is faster than building a hash table. */
const fewKeys = 12;

const backslash = 0x5c;

/**
 * The nesting levels at a position in JSON text, and the keys that their objects have so far. A key
 * is stored as its position in the text, so it needs no allocation.
 */
export class OpenKeys {
  readonly #bytes: Buffer;
  /** The first `#depth` levels are open; the others are kept for reuse. */
  readonly #levels: Level[] = [];
  #depth = 0;
  #last: Level | undefined;
  /**
   * Start, end, and hash of each key, and the previous key in its chain. Keys of an inner level
   * come after those of the outer levels.
   */
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  readonly #hashes: number[] = [];
  readonly #previous: number[] = [];
  #count = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get depth(): number {
    return this.#depth;
  }

  enter(isObject: boolean): void {
    const existing = this.#levels[this.#depth];
    const level = existing ?? { isObject, element: 0, outerKeys: 0, chains: undefined };
    if (!existing) this.#levels.push(level);
    level.isObject = isObject;
    level.element = 0;
    level.outerKeys = this.#count;
    level.chains = undefined;
    this.#last = level;
    this.#depth++;
  }

  leave(): void {
    if (!this.#last) return;
    this.#count = this.#last.outerKeys;
    this.#depth--;
    this.#last = this.#levels[this.#depth - 1];
  }

  /** Moves on to the next element. Returns whether it has a key. */
  next(): boolean {
    const level = this.#last;
    if (!level) return false;
    level.element++;
    return level.isObject;
  }

  /**
   * Adds a key to the innermost level, which is an object. `start` is its first byte, `end` its
   * closing quote. Returns false for a repeated key, which then is the last one.
   */
  addKey(start: number, end: number, hash: number): boolean {
    const level = this.#last as Level;
    const isNew = !this.#has(level, start, end, hash);
    const key = this.#count++;
    this.#starts[key] = start;
    this.#ends[key] = end;
    this.#hashes[key] = hash;
    this.#previous[key] = -1;
    if (level.chains) this.#link(level.chains, key);
    const keys = this.#count - level.outerKeys;
    if (keys > (level.chains?.length ?? fewKeys)) this.#rebuild(level, 2 ** Math.ceil(Math.log2(4 * keys)));
    return isNew;
  }

  /** A JSON pointer to the current value; empty for the whole text. */
  path(): string {
    const open = this.#levels.slice(0, this.#depth);
    const parts = open.map(({ isObject, element }, depth) => {
      const keys = open[depth + 1]?.outerKeys ?? this.#count;
      return isObject ? this.#text(this.#starts[keys - 1] ?? 0, this.#ends[keys - 1] ?? 0) : String(element);
    });
    return parts.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
  }

  #has(level: Level, start: number, end: number, hash: number): boolean {
    if (level.chains) {
      let key = (level.chains[chainOf(hash, level.chains)] as number) - 1;
      while (key >= 0 && !this.#isSame(key, start, end, hash)) key = this.#previous[key] as number;
      return key >= 0;
    }
    for (let key = level.outerKeys; key < this.#count; key++) if (this.#isSame(key, start, end, hash)) return true;
    return false;
  }

  #link(chains: Int32Array, key: number): void {
    const chain = chainOf(this.#hashes[key] as number, chains);
    this.#previous[key] = (chains[chain] as number) - 1;
    chains[chain] = key + 1;
  }

  #rebuild(level: Level, length: number): void {
    level.chains = new Int32Array(length);
    for (let key = level.outerKeys; key < this.#count; key++) this.#link(level.chains, key);
  }

  #isSame(key: number, start: number, end: number, hash: number): boolean {
    if (this.#hashes[key] !== hash) return false;
    const [otherStart, otherEnd] = [this.#starts[key] as number, this.#ends[key] as number];
    if (this.#bytes.compare(this.#bytes, otherStart, otherEnd, start, end) === 0) return true;
    return this.#text(otherStart, otherEnd) === this.#text(start, end);
  }

  #text(start: number, end: number): string {
    return keyText(this.#bytes, start, end);
  }
}

/** Hash of the key between two quotes; equal for all spellings of the same key. */
export function hashKey(bytes: Buffer, start: number, end: number): number {
  for (let at = start; at < end; at++) if (bytes[at] === backslash) return hashText(keyText(bytes, start, end));
  return hashBytes(bytes, start, end);
}

function hashText(text: string): number {
  // UTF-8 would encode all lone surrogates alike.
  const bytes = Buffer.from(text, text.isWellFormed() ? 'utf8' : 'utf16le');
  return hashBytes(bytes, 0, bytes.length);
}

function keyText(bytes: Buffer, start: number, end: number): string {
  const raw = bytes.toString('utf8', start, end);
  if (!raw.includes('\\')) return raw;
  try {
    return JSON.parse(`"${raw}"`) as string;
  } catch {
    return raw; // invalid JSON, which the parser reports
  }
}

/** Chain of a hash, by its upper bits; the number of chains is a power of two. */
function chainOf(hash: number, chains: Int32Array): number {
  return hash >>> Math.clz32(chains.length - 1);
}
