/**
 * Maximum number of elements that a reply's open arrays, sets, and maps may declare together; the
 * library allocates them at once.
 */
const maxElements = 1_000_000;

/** Maximum nesting depth of arrays, sets, and maps. */
const maxDepth = 100;

/**
 * Maximum number of bytes in a header or number. The library takes quadratic time for long numbers.
 */
const maxLineBytes = 1_000;

const nullableLength = /^(?:\d{1,15}|-1)$/;
const length = /^\d{1,15}$/;
const anything = /^/;

/**
 * The first line of each value type, without the type byte. Only valid lines are allowed: the
 * library skips a fixed number of bytes for some types, and would otherwise detect different
 * headers than this code does.
 */
const lines: Readonly<Record<string, RegExp>> = {
  '+': anything,
  '-': anything,
  ':': anything,
  '(': anything,
  ',': /^(?!n(?!an$)|[+-]?i(?!nf$))/,
  _: /^$/,
  '#': /^[tf]$/,
  $: nullableLength,
  '!': nullableLength,
  '=': /^(?:[4-9]|[1-9]\d{1,14})$/,
  '*': nullableLength,
  '>': nullableLength,
  '~': length,
  '%': length,
};

/** Elements for each unit of length. */
const containers: Readonly<Record<string, number>> = { '*': 1, '>': 1, '~': 1, '%': 2 };
const texts: ReadonlySet<string> = new Set('+-');
const blobs: ReadonlySet<string> = new Set('$!=');

const carriageReturn = 13;

/**
 * Follows a server's replies without keeping them, and refuses replies that declare more elements
 * than fit into a worker's memory.
 */
export class RedisLengths {
  #type = '';
  #line = '';
  /** Bytes to skip: contents and line ends. */
  #left = 0;
  /** Incomplete arrays, sets, and maps, outermost first. */
  readonly #open: { declared: number; missing: number }[] = [];
  #declared = 0;

  /** Throws at the header of a value that is invalid or too large. */
  read(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; ) {
      const skipped = Math.min(chunk.length - at, this.#left);
      this.#left -= skipped;
      at += skipped;
      if (at === chunk.length) return;
      if (this.#type === '') this.#type = String.fromCharCode(chunk.readUInt8(at++));
      at = this.#readLine(chunk, at);
    }
  }

  /** Returns the offset of the line end, or the length of the chunk. */
  #readLine(chunk: Buffer, at: number): number {
    const lineEndAt = chunk.indexOf(carriageReturn, at);
    const end = lineEndAt === -1 ? chunk.length : lineEndAt;
    if (!texts.has(this.#type)) this.#line += chunk.toString('latin1', at, Math.min(end, at + maxLineBytes + 1));
    if (!lines[this.#type] || this.#line.length > maxLineBytes) throw wrongProtocol();
    if (lineEndAt === -1) return end;
    // The line feed.
    this.#left = 1;
    this.#startValue(this.#type, this.#line);
    this.#type = '';
    this.#line = '';
    return end + 1;
  }

  #startValue(type: string, line: string): void {
    if (!lines[type]?.test(line)) throw wrongProtocol();
    const size = Number(line);
    if (blobs.has(type) && size >= 0) this.#left += size + 2;
    const declared = (containers[type] ?? 0) * size;
    if (declared > 0) this.#openContainer(declared);
    else this.#endValue();
  }

  #openContainer(declared: number): void {
    this.#declared += declared;
    this.#open.push({ declared, missing: declared });
    if (this.#declared > maxElements) throw new Error(`a server reply has more than ${maxElements} elements`);
    if (this.#open.length > maxDepth) throw new Error(`a server reply is nested more than ${maxDepth} levels deep`);
  }

  #endValue(): void {
    for (let inner = this.#open.at(-1); inner && --inner.missing === 0; inner = this.#open.at(-1)) {
      this.#declared -= inner.declared;
      this.#open.pop();
    }
  }
}

function wrongProtocol(): Error {
  return new Error('the server does not speak the Redis protocol');
}
