import { TimeSlice } from '../time-slice.ts';
import { levelsOpened } from './json-depth.ts';

/** Characters that `JSON.parse` reads in one call: 10 ms in the worst case. */
const chunkLength = 64 * 1024;

/** Maximum depth of a document that is too long for one call: twice the limit for stored data. */
const maxLevels = 1_000;

/** Maximum keys of one object: listing the keys cannot be split into slices. */
export const maxKeys = 100_000;

/** Maximum elements of one array: the engine copies them all at once when the array grows. */
export const maxElements = 10_000_000;

/** An object has more than `maxKeys` keys, or an array more than `maxElements` elements. */
export class TooManyMembersError extends SyntaxError {
  constructor(limit: number, isArray: boolean) {
    super(
      isArray ? `an array in the JSON has more than ${limit} elements` : `an object in the JSON has more than ${limit} keys`,
    );
  }
}

/**
 * `JSON.parse` in time slices: a long string does not block the event loop. Returns the value
 * itself for a short string, and a promise otherwise. Throws or rejects with a `SyntaxError`; a
 * long string may be refused with its subclass `TooManyMembersError`. Rejects with the signal's
 * reason while reading a long string. Members that fit into a chunk are left to `JSON.parse`, which
 * is faster than any parser in JavaScript; our own code only finds where to cut.
 *
 * @param keyLimit maximum number of keys of an object in a long string; arrays have no limit if it
 * is infinite.
 * @param reviver as in `JSON.parse`; it may only replace numbers.
 */
export function parseJson(text: string, signal?: AbortSignal, keyLimit: number = maxKeys, reviver?: Reviver): unknown {
  return text.length <= chunkLength ? JSON.parse(text, reviver) : new LongText(text, keyLimit, reviver).parse(signal);
}

/** `source` is the text of a number. */
type Reviver = (key: string, value: unknown, context?: { source?: string }) => unknown;

interface Level {
  readonly container: unknown[] | Record<string, unknown>;
  readonly close: number;
  keys: number;
  /** Key in the enclosing container; absent in an array. */
  readonly key: string | undefined;
}

const [quote, comma, openArray, backslash, closeArray, letterU, openObject, closeObject] = [
  0x22, 0x2c, 0x5b, 0x5c, 0x5d, 0x75, 0x7b, 0x7d,
];

/** Sticky; always matches, possibly an empty text. */
const scalar = /[-+.\w]*/y;
const blanks = /[\t\n\r ]*/y;

/**
 * Reads a string that is too long for one call. A container that ends within a chunk is read by
 * `JSON.parse`; a longer one is opened, and its members are read in groups that fill a chunk.
 */
class LongText {
  readonly #text: string;
  readonly #keyLimit: number;
  readonly #reviver: Reviver | undefined;
  readonly #levels: Level[] = [];
  readonly #slice = new TimeSlice();
  #at = 0;
  #root: unknown;

  constructor(text: string, keyLimit: number, reviver: Reviver | undefined) {
    this.#text = text;
    this.#keyLimit = keyLimit;
    this.#reviver = reviver;
  }

  async parse(signal: AbortSignal | undefined): Promise<unknown> {
    this.#skipBlanks();
    await this.#readValue(undefined, signal);
    while (this.#levels.length > 0) {
      await this.#readGroup(signal);
      await this.#pause(signal);
    }
    this.#skipBlanks();
    if (this.#at < this.#text.length) throw this.#unexpected();
    return this.#root;
  }

  /** Reads a long value: opens a container, or reads a string or another scalar. */
  async #readValue(key: string | undefined, signal: AbortSignal | undefined): Promise<void> {
    const code = this.#text.charCodeAt(this.#at);
    if (code !== openArray && code !== openObject) {
      this.#put(code === quote ? await this.#readString(signal) : this.#readScalar(), key);
      return;
    }
    const isArray = code === openArray;
    this.#levels.push({ container: isArray ? newList() : {}, close: isArray ? closeArray : closeObject, keys: 0, key });
    this.#at++;
  }

  /**
   * Reads as many members of the innermost container as fit into a chunk, or one that does not fit.
   */
  async #readGroup(signal: AbortSignal | undefined): Promise<void> {
    const level = this.#levels.at(-1) as Level;
    const { end, closes } = this.#scan();
    if (closes) {
      this.#addAll(level, this.#text.slice(this.#at, end), level.keys > 0);
      if (this.#text.charCodeAt(end) !== level.close) throw this.#unexpected(end);
      this.#at = end + 1;
      this.#levels.pop();
      this.#put(level.container, level.key);
    } else if (end > this.#at) {
      this.#addAll(level, this.#text.slice(this.#at, end), true);
      this.#at = end + 1;
    } else await this.#readLongMember(level, signal);
  }

  async #readLongMember(level: Level, signal: AbortSignal | undefined): Promise<void> {
    this.#skipBlanks();
    const key = level.close === closeObject ? await this.#readKey(signal) : undefined;
    this.#count(level, 1);
    const { length } = this.#levels;
    await this.#readValue(key, signal);
    if (this.#levels.length === length) this.#afterMember(level);
  }

  /** Skips the comma after a member; a closing bracket is left to the next group. */
  #afterMember(level: Level): void {
    this.#skipBlanks();
    const code = this.#text.charCodeAt(this.#at);
    if (code === comma) {
      this.#at++;
      this.#skipBlanks();
      if (this.#text.charCodeAt(this.#at) === level.close) throw this.#unexpected();
    } else if (code === level.close) level.keys = 0;
    else throw this.#unexpected();
  }

  async #readKey(signal: AbortSignal | undefined): Promise<string> {
    if (this.#text.charCodeAt(this.#at) !== quote) throw this.#unexpected();
    const key = await this.#readString(signal);
    this.#skipBlanks();
    if (this.#text[this.#at] !== ':') throw this.#unexpected();
    this.#at++;
    this.#skipBlanks();
    return key;
  }

  /** `isMore`: whether members are required, because there is a comma before or after. */
  #addAll(level: Level, members: string, isMore: boolean): void {
    if (Array.isArray(level.container)) {
      const values = JSON.parse(`[${members}]`, this.#reviver) as unknown[];
      if (isMore && values.length === 0) throw this.#unexpected();
      this.#count(level, values.length);
      for (const member of values) level.container.push(member);
    } else {
      const entries = Object.entries(JSON.parse(`{${members}}`, this.#reviver) as Record<string, unknown>);
      if (isMore && entries.length === 0) throw this.#unexpected();
      this.#count(level, entries.length);
      for (const [key, value] of entries) setOwn(level.container, key, value);
    }
  }

  #count(level: Level, added: number): void {
    level.keys += added;
    const isArray = level.close === closeArray;
    const limit = isArray && this.#keyLimit < Number.POSITIVE_INFINITY ? maxElements : this.#keyLimit;
    if (level.keys > limit) throw new TooManyMembersError(limit, isArray);
  }

  #put(value: unknown, key: string | undefined): void {
    const level = this.#levels.at(-1);
    if (!level) this.#root = value;
    else if (key === undefined) (level.container as unknown[]).push(value);
    else setOwn(level.container as Record<string, unknown>, key, value);
    if (level && value !== null && typeof value === 'object') this.#afterMember(level);
  }

  /**
   * Scans one chunk ahead for the bracket that closes the innermost container, or otherwise for the
   * last comma between its members. The depth is checked here: opening 1,000 levels would scan
   * 1,000 chunks.
   */
  #scan(): { end: number; closes: boolean } {
    const text = this.#text;
    const limit = Math.min(text.length, this.#at + chunkLength);
    let depth = 0;
    let end = this.#at;
    for (let at = this.#at; at < limit; at++) {
      const code = text.charCodeAt(at);
      if (code === quote) {
        const close = this.#findQuote(at + 1, limit);
        at = close < 0 ? limit : close;
      } else if (code === comma && depth === 0) end = at;
      else {
        depth += levelsOpened(code);
        if (depth < 0) return { end: at, closes: true };
        this.#assertDepth(depth);
      }
    }
    if (end === this.#at && limit === this.#text.length) throw new SyntaxError('Unexpected end of JSON input');
    return { end, closes: false };
  }

  #assertDepth(depth: number): void {
    if (this.#levels.length + depth > maxLevels) throw new SyntaxError(`JSON is nested more than ${maxLevels} levels deep`);
  }

  #readScalar(): unknown {
    const end = this.#endOf(scalar);
    if (end === this.#at) throw this.#unexpected();
    const value: unknown = JSON.parse(this.#text.slice(this.#at, end), this.#reviver);
    this.#at = end;
    return value;
  }

  async #readString(signal: AbortSignal | undefined): Promise<string> {
    const parts: string[] = [];
    for (let from = this.#at + 1; ; await this.#pause(signal)) {
      const quoteAt = this.#findQuote(from, from + chunkLength);
      const end = quoteAt < 0 ? ~quoteAt : quoteAt;
      if (quoteAt < 0 && end >= this.#text.length) throw new SyntaxError('Unterminated string in JSON');
      parts.push(JSON.parse(`"${this.#text.slice(from, end)}"`) as string);
      from = end;
      this.#at = end + 1;
      if (quoteAt >= 0) return parts.join('');
    }
  }

  /**
   * Index of the quote that closes the string in which `at` is. If it is not before `limit`: the
   * complement (`~`) of an index at or after it that does not split an escape.
   */
  #findQuote(at: number, limit: number): number {
    const text = this.#text;
    const last = Math.min(limit, text.length);
    while (at < last) {
      const code = text.charCodeAt(at);
      if (code === quote) return at;
      if (code !== backslash) at += 1;
      else at += text.charCodeAt(at + 1) === letterU ? 6 : 2;
    }
    return ~at;
  }

  /** Lets other work run if this slice of time is over. */
  async #pause(signal: AbortSignal | undefined): Promise<void> {
    if (!this.#slice.isOver) return;
    await this.#slice.next();
    signal?.throwIfAborted();
  }

  #skipBlanks(): void {
    this.#at = this.#endOf(blanks);
  }

  #endOf(pattern: RegExp): number {
    pattern.lastIndex = this.#at;
    pattern.test(this.#text);
    return pattern.lastIndex;
  }

  #unexpected(at: number = this.#at): SyntaxError {
    const token = this.#text[at];
    if (token === undefined) return new SyntaxError('Unexpected end of JSON input');
    return new SyntaxError(`Unexpected token ${JSON.stringify(token)} in JSON at position ${at}`);
  }
}

/**
 * An empty array that can hold anything. V8 stores numbers in special forms, and converts a whole
 * array at once when a value of another kind is added: 0.4 s for 10,000,000 elements.
 */
function newList(): unknown[] {
  const list: unknown[] = [{}];
  list.pop();
  return list;
}

/** `__proto__` is an ordinary key. */
function setOwn(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
  else object[key] = value;
}
