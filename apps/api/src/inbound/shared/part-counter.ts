const dash = 0x2d;

/**
 * Counts the parts of a multipart body by its delimiters, up to the closing one. Empty parts, which
 * some clients send for an empty form, do not count.
 */
export class PartCounter {
  readonly #delimiter: Buffer;
  /**
   * Bytes that may be the start of a delimiter. The first delimiter of a body needs no line break
   * before it.
   */
  #rest: Buffer = Buffer.from('\r\n');
  /** First bytes after the last delimiter. */
  #content = '';
  #isClosed = false;
  #count = 0;

  constructor(boundary: string) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`);
  }

  /** Parts that have started. */
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
