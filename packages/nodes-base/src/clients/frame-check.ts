/** Follows the frames of a stream without keeping them, and checks the header of each. */
export class FrameCheck {
  readonly #head: Buffer;
  readonly #lengthOf: (head: Buffer) => number;
  #headBytes = 0;
  /** Remaining bytes of the current frame. */
  #left = 0;

  /**
   * @param lengthOf length of a frame with its header, `headerBytes` at least; throws if the header
   * is invalid.
   */
  constructor(headerBytes: number, lengthOf: (head: Buffer) => number) {
    this.#head = Buffer.alloc(headerBytes);
    this.#lengthOf = lengthOf;
  }

  /** Throws the error of `lengthOf` at the first invalid header, and in every later call. */
  read(chunk: Buffer): void {
    if (this.#headBytes === this.#head.length) this.#lengthOf(this.#head);
    for (let at = 0; at < chunk.length; ) at += this.#left > 0 ? this.#skip(chunk.length - at) : this.#readHead(chunk, at);
  }

  #skip(available: number): number {
    const skipped = Math.min(available, this.#left);
    this.#left -= skipped;
    return skipped;
  }

  #readHead(chunk: Buffer, at: number): number {
    const copied = chunk.copy(this.#head, this.#headBytes, at);
    this.#headBytes += copied;
    if (this.#headBytes === this.#head.length) {
      this.#left = this.#lengthOf(this.#head) - this.#head.length;
      this.#headBytes = 0;
    }
    return copied;
  }
}
