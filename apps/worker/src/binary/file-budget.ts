import { leastCountedBytes } from '@sluice/db';
import { AppError } from '@sluice/domain';

export interface FileCaps {
  /** Maximum size of one file. */
  maxBytes: number;
  /** Maximum total size of an execution's files. */
  executionMaxBytes: number;
}

/**
 * Bytes that the files of one execution may still use. Files in progress count as they grow; empty
 * ones count, too.
 */
export class FileBudget {
  readonly #caps: FileCaps;
  #used: number;

  /** `used`: bytes of the files that the execution already has. */
  constructor(caps: FileCaps, used: number) {
    this.#caps = caps;
    this.#used = used;
  }

  /**
   * Counts a file while `store` reads it; resolves to the result of `store`. Throws
   * `BinaryTooLargeError`, through `store`, at the first byte above the limit. An incomplete file
   * does not count.
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

  /** Stops counting a file of this size in bytes. */
  release(size: number): void {
    this.#used -= Math.max(size, leastCountedBytes);
  }

  /**
   * Stops counting once storing has ended: a reader that stopped may have left a chunk in flight.
   */
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

/**
 * A file, or all files of an execution, exceed a limit (`BINARY_MAX_BYTES`,
 * `BINARY_EXECUTION_MAX_BYTES`).
 */
export class BinaryTooLargeError extends AppError {
  constructor(what: 'the file' | 'the files of the execution', maxBytes: number) {
    super({ code: 'BINARY_TOO_LARGE', message: `${what} would exceed the limit of ${maxBytes} bytes` });
  }
}
