import type { Readable } from 'node:stream';

/** First and last byte, both inclusive. */
export interface ByteRange {
  start: number;
  end: number;
}

export interface DeleteOptions {
  /**
   * Whether a crash of its process may have interrupted a `put`; then its partial data is searched
   * for, too.
   */
  interrupted?: boolean;
}

/**
 * Storage of file contents. Access and retention are handled elsewhere: the store has only ids
 * (`newBinaryId`) and bytes.
 *
 * Throws `UnavailableError` if the storage does not respond, is full, or denies access.
 */
export interface BinaryStore {
  /**
   * Stores content under a new id; it is durable once the promise resolves. All or nothing: an
   * error in the content stream is rethrown, and nothing is stored; only a crash of the process may
   * leave partial data (`DeleteOptions.interrupted`). Keeps only a few chunks in memory.
   */
  put(id: string, content: AsyncIterable<Uint8Array>): Promise<{ size: number }>;
  /**
   * A file's bytes: all, or an existing range. Throws `BinaryNotFoundError`. A caller that does not
   * read to the end destroys the stream.
   */
  open(id: string, range?: ByteRange): Promise<Readable>;
  exists(id: string): Promise<boolean>;
  /** Ignores unknown ids. After an error, some files may already be deleted. */
  delete(ids: readonly string[], options?: DeleteOptions): Promise<void>;
  close(): void;
}
