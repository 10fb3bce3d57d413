import type { Readable } from 'node:stream';

/** First and last byte, both inclusive. */
export interface ByteRange {
  start: number;
  end: number;
}

export interface DeleteOptions {
  /**
   * Whether a `put` may have been interrupted by the death of its process: its partial data is
   * searched for, too.
   */
  interrupted?: boolean;
}

/**
 * Storage of file contents. Access and retention are handled elsewhere: the store has only ids
 * (`newBinaryId`) and bytes.
 *
 * `UnavailableError`: the storage does not respond, is full, or denies access.
 */
export interface BinaryStore {
  /**
   * Stores content under a new id, durably when it resolves. All or nothing: an error of the
   * content is rethrown, and nothing is stored; only the death of the process may leave partial
   * data (`DeleteOptions.interrupted`). Holds a few pieces in memory at a time.
   */
  put(id: string, content: AsyncIterable<Uint8Array>): Promise<{ size: number }>;
  /**
   * The bytes of a file, all or an existing range. Throws `BinaryNotFoundError`. A caller that does
   * not read to the end destroys the stream.
   */
  open(id: string, range?: ByteRange): Promise<Readable>;
  exists(id: string): Promise<boolean>;
  /** Ignores unknown ids. After an error, some files may already be deleted. */
  delete(ids: readonly string[], options?: DeleteOptions): Promise<void>;
  close(): void;
}
