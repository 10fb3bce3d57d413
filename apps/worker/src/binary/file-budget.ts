import { leastCountedBytes } from '@sluice/db';
import { BinaryTooLargeError } from './errors.ts';

export interface FileCaps {
  /** Bytes of one file. */
  maxBytes: number;
  /** Bytes of all files of an execution. */
  executionMaxBytes: number;
}

/** What the files of one execution may still take. Files that are being stored count as they grow; an empty one counts, too. */
export class FileBudget {
  readonly #caps: FileCaps;
  #used: number;

  /** `used`: bytes of the files that the execution has already. */
  constructor(caps: FileCaps, used: number) {
    this.#caps = caps;
    this.#used = used;
  }

  /**
   * Counts a file while `store` takes it; resolves to what that does. Throws `BinaryTooLargeError`, by way of `store`, at the first
   * byte too many. What is not stored whole does not count.
   */
  async count<T>(content: AsyncIterable<Uint8Array>, store: (metered: AsyncIterable<Uint8Array>) => Promise<T>): Promise<T> {
    const file = { counted: 0, isOver: false };
    try {
      return await store(this.#meter(content, file));
    } catch (error) {
      file.isOver = true;
      this.#used -= file.counted;
      throw error;
    }
  }

  /** A file of that size, in bytes, belongs to the execution no more. */
  release(size: number): void {
    this.#used -= Math.max(size, leastCountedBytes);
  }

  /** Once the file is over, nothing of it is counted: whoever has stopped to read it may have left a piece on its way. */
  async *#meter(content: AsyncIterable<Uint8Array>, file: { counted: number; isOver: boolean }): AsyncGenerator<Uint8Array> {
    const { maxBytes } = this.#caps;
    let size = 0;
    file.counted += this.#take(leastCountedBytes);
    for await (const chunk of content) {
      if (file.isOver) return;
      size += chunk.byteLength;
      if (size > maxBytes) throw new BinaryTooLargeError('the file', maxBytes);
      file.counted += this.#take(Math.max(0, size - file.counted));
      yield chunk;
    }
  }

  #take(bytes: number): number {
    const { executionMaxBytes } = this.#caps;
    if (this.#used + bytes > executionMaxBytes) throw new BinaryTooLargeError('the files of the execution', executionMaxBytes);
    this.#used += bytes;
    return bytes;
  }
}
