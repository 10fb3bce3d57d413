const dash = 0x2d;

/** Counts the parts of a multipart body by the delimiters in it, up to the one that closes it. */
export class PartCounter {
  readonly #delimiter: Buffer;
  /** What a delimiter may begin in; the first one of a body need not stand behind a line. */
  #rest: Buffer = Buffer.from('\r\n');
  #isClosed = false;
  #count = 0;

  constructor(boundary: string) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`);
  }

  /** That have begun. */
  get count(): number {
    return this.#count;
  }

  take(chunk: Uint8Array): void {
    if (this.#isClosed) return;
    const { length } = this.#delimiter;
    const bytes = Buffer.concat([this.#rest, chunk]);
    let end = 0;
    for (;;) {
      const at = bytes.indexOf(this.#delimiter, end);
      const isWhole = at !== -1 && at + length + 2 <= bytes.length;
      if (!isWhole) {
        this.#rest = bytes.subarray(at === -1 ? Math.max(end, bytes.length - length + 1) : at);
        return;
      }
      end = at + length;
      this.#isClosed = bytes[end] === dash && bytes[end + 1] === dash;
      if (this.#isClosed) return;
      this.#count += 1;
    }
  }
}
