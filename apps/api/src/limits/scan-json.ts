/** What is wrong with JSON text beyond its grammar. */
export type JsonFault =
  | { fault: 'too deep' }
  /** `path`: a JSON pointer. */
  | { fault: 'repeated key'; path: string };

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openObject, closeObject, openArray, closeArray] = [0x7b, 0x7d, 0x5b, 0x5d];

/** By byte: whether it changes the place within the nesting. */
const marks = new Uint8Array(256);
for (const mark of [comma, openObject, closeObject, openArray, closeArray]) marks[mark] = 1;

/** So many keys are looked through faster than a set of them is made. */
const fewKeys = 12;

/**
 * The first of two faults in JSON text, which has to be valid UTF-8: nesting deeper than `maxDepth` levels, which costs `JSON.parse`
 * seconds, and a key that stands twice in one object, of which `JSON.parse` keeps the second without a word. One pass over the bytes. Says
 * nothing about whether the text is JSON.
 */
export function scanJson(bytes: Buffer, maxDepth: number): JsonFault | undefined {
  const text = bytes.toString('latin1'); // a character is a byte: cheap to look at, and to cut keys out of
  const levels = new OpenLevels();
  for (let at = 0; at < text.length; at++) {
    const byte = text.charCodeAt(at);
    if (byte === quote) {
      const end = endOfString(text, at);
      if (!levels.takeString(text, at, end)) return { fault: 'repeated key', path: levels.path() };
      at = end;
    } else if (marks[byte] === 1) {
      levels.takeMark(byte);
      if (levels.depth > maxDepth) return { fault: 'too deep' };
    }
  }
  return undefined;
}

/** An object or array that has not ended yet. */
interface Level {
  /** The keys so far; null: an array. */
  keys: string[] | Set<string> | null;
  /** The last key, or the index of the element under way. */
  at: string | number;
}

/** Where in the nesting a scan is. */
class OpenLevels {
  readonly #levels: Level[] = [];
  #last: Level | undefined;
  /** Whether a string would be a key. */
  #expectsKey = false;

  get depth(): number {
    return this.#levels.length;
  }

  takeMark(byte: number): void {
    if (byte === comma) this.#next();
    else if (byte === openObject || byte === openArray) this.#open(byte === openObject);
    else this.#close();
  }

  #open(isObject: boolean): void {
    this.#expectsKey = isObject;
    this.#last = isObject ? { keys: [], at: '' } : { keys: null, at: 0 };
    this.#levels.push(this.#last);
  }

  #close(): void {
    this.#levels.pop();
    this.#last = this.#levels.at(-1);
    this.#expectsKey = false;
  }

  #next(): void {
    this.#expectsKey = true;
    if (typeof this.#last?.at === 'number') this.#last.at += 1;
  }

  /** False: it is a key that the object has already. */
  takeString(text: string, open: number, end: number): boolean {
    const level = this.#last;
    if (!this.#expectsKey || !level?.keys) return true;
    this.#expectsKey = false;
    const key = keyOf(text, open, end);
    level.at = key;
    if (!Array.isArray(level.keys)) return level.keys.size < level.keys.add(key).size;
    if (level.keys.includes(key)) return false;
    level.keys.push(key);
    if (level.keys.length > fewKeys) level.keys = new Set(level.keys);
    return true;
  }

  /** A JSON pointer to the value under way. */
  path(): string {
    const parts = this.#levels.map(({ at }) => String(at).replaceAll('~', '~0').replaceAll('/', '~1'));
    return fromBytes(`/${parts.join('/')}`);
  }
}

/** Where the closing quote of the string stands that begins at `open`; behind the text when there is none. */
export function endOfString(text: string, open: number): number {
  for (let at = open + 1; at < text.length; at++) {
    const byte = text.charCodeAt(at);
    if (byte === quote) return at;
    if (byte === backslash) at++;
  }
  return text.length;
}

/** The key between two quotes, by its bytes; the same for all ways to write it. */
function keyOf(text: string, open: number, end: number): string {
  const raw = text.slice(open + 1, end);
  return raw.includes('\\') ? unescaped(raw) : raw;
}

function unescaped(raw: string): string {
  try {
    const key = JSON.parse(`"${fromBytes(raw)}"`) as string;
    // A lone surrogate has no bytes: what is no byte either tells such keys from all others.
    return key.isWellFormed() ? Buffer.from(key).toString('latin1') : `\uffff${key}`;
  } catch {
    return raw;
  }
}

function fromBytes(text: string): string {
  return Buffer.from(text, 'latin1').toString();
}
