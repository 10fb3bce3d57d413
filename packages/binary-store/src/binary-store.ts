import type { Readable } from 'node:stream';

/** First and last byte, both included. */
export interface ByteRange {
  start: number;
  end: number;
}

export interface DeleteOptions {
  /** Whether a `put` may have been cut off by the death of its process: what it left is looked for too. */
  interrupted?: boolean;
}

/**
 * Where the bytes of files are. Who may read which file, and how long it is kept, is told elsewhere: the store knows ids
 * (`newBinaryId`) and bytes.
 *
 * `UnavailableError`: the storage does not answer, is full, or refuses us.
 */
export interface BinaryStore {
  /**
   * Stores content under a new id, durably when it resolves. All or nothing: where content throws, so does this, and nothing
   * is left; only a process that dies may leave a part (`DeleteOptions.interrupted`). Holds a few pieces at a time.
   */
  put(id: string, content: AsyncIterable<Uint8Array>): Promise<{ size: number }>;
  /** The bytes of a file, all or a range that lies within it. Throws `BinaryNotFoundError`. Whoever does not read to the end destroys the stream. */
  open(id: string, range?: ByteRange): Promise<Readable>;
  exists(id: string): Promise<boolean>;
  /** Ids that are not there are fine. On an error some may be deleted already. */
  delete(ids: readonly string[], options?: DeleteOptions): Promise<void>;
  close(): void;
}
