import { leastCountedBytes } from '@sluice/db';
import { BinaryTooLargeError } from './errors.ts';

export interface FileCaps {
  /** Bytes of one file. */
  maxBytes: number;
  /** Bytes of all files of an execution. */
  executionMaxBytes: number;
}

/** What the files of one execution may still take. Files that are being stored count as they grow. */
export class FileBudget {
  readonly #caps: FileCaps;
  #used: number;

  /** `used`: bytes of the files that the execution has already. */
  constructor(caps: FileCaps, used: number) {
    this.#caps = caps;
    this.#used = used;
  }

  /** Counts a file as it passes. Throws `BinaryTooLargeError` at the first byte too many; what does not come through whole does not count. */
  async *meter(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const { maxBytes } = this.#caps;
    let size = 0;
    let counted = 0;
    let whole = false;
    try {
      counted += this.#take(leastCountedBytes);
      for await (const chunk of content) {
        size += chunk.byteLength;
        if (size > maxBytes) throw new BinaryTooLargeError('the file', maxBytes);
        counted += this.#take(Math.max(0, size - counted));
        yield chunk;
      }
      whole = true;
    } finally {
      if (!whole) this.#used -= counted;
    }
  }

  #take(bytes: number): number {
    const { executionMaxBytes } = this.#caps;
    if (this.#used + bytes > executionMaxBytes) throw new BinaryTooLargeError('the files of the execution', executionMaxBytes);
    this.#used += bytes;
    return bytes;
  }
}
