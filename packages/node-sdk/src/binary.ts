import type { BinaryReference } from '@sluice/domain';

/** Bytes as nodes hand them over; a stream is read once, with back-pressure, and never held whole. */
export type BinaryContent = Uint8Array | AsyncIterable<Uint8Array>;

/** What is known of a file; what is missing is worked out from the rest. */
export interface FileDescription {
  /** With its extension, without a folder. */
  fileName?: string;
  /** Default: by the extension, else `application/octet-stream`. */
  mimeType?: string;
}

/** The files of one execution. Items carry references; bytes never go through them. */
export interface BinaryAccess {
  /** Stores a file for as long as the execution is kept. Throws `BINARY_TOO_LARGE` where a file, or the files of the execution, are over the cap. */
  store(content: BinaryContent, file: FileDescription): Promise<BinaryReference>;
  /**
   * The bytes of a file that this execution may read, for callers that need them whole. Throws `BINARY_NOT_FOUND`, and
   * `BINARY_TOO_LARGE` where there are more than `maxBytes` (default: the cap of one file).
   */
  read(reference: BinaryReference, maxBytes?: number): Promise<Uint8Array>;
  /** The same as a stream. Throws `BINARY_NOT_FOUND`. */
  open(reference: BinaryReference): Promise<AsyncIterable<Uint8Array>>;
}

/** The folders that an operator lets nodes read and write (`FILES_DIR`). Paths outside of them throw `FILE_NOT_ALLOWED`, links that lead out too. */
export interface FileAccess {
  /** Paths of the files that match a glob, sorted; one without wildcards names itself, and throws `FILE_NOT_FOUND` where it is not there. */
  list(pattern: string): Promise<readonly string[]>;
  /** Throws `FILE_NOT_FOUND`. */
  open(path: string): Promise<AsyncIterable<Uint8Array>>;
  /** Puts a file in place whole, or not at all; `append` adds to what is there. */
  write(path: string, content: BinaryContent, options?: { append?: boolean }): Promise<void>;
}
