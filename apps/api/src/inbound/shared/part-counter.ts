const dash = 0x2d;

/** Counts the parts of a multipart body by the delimiters in it, up to the one that closes it. Parts with nothing in them, as some clients send of an empty form, are none. */
export class PartCounter {
  readonly #delimiter: Buffer;
  /** What a delimiter may begin in; the first one of a body need not stand behind a line. */
  #rest: Buffer = Buffer.from('\r\n');
  /** The beginning of what has come since the last delimiter. */
  #content = '';
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
      const next = at === -1 ? Math.max(end, bytes.length - length + 1) : at;
      if (this.#content.length < 3) this.#content += bytes.toString('latin1', end, Math.min(next, end + 3));
      if (at === -1 || at + length + 2 > bytes.length) {
        this.#rest = bytes.subarray(next);
        return;
      }
      end = at + length;
      this.#endPart();
      this.#isClosed = bytes[end] === dash && bytes[end + 1] === dash;
      if (this.#isClosed) return;
      this.#count += 1;
    }
  }

  #endPart(): void {
    if (this.#count > 0 && (this.#content === '' || this.#content === '\r\n')) this.#count -= 1;
    this.#content = '';
  }
}
