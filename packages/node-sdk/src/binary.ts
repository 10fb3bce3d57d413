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
  /**
   * Tells of what happens to a file, or in a folder and below it; links are not followed. Resolves once it watches. Absent where nobody watches. Throws
   * `FILE_NOT_FOUND`, and `FILE_NOT_ALLOWED` for what is too large to be watched, too.
   */
  watch?(path: string, options: FileWatchOptions): Promise<FileWatcher>;
}

export const fileEvents = ['add', 'change', 'unlink', 'addDir', 'unlinkDir'] as const;
export type FileEvent = (typeof fileEvents)[number];

export interface FileWatchOptions {
  onEvent(event: FileEvent, path: string): void;
  /** Called once, where it cannot go on. */
  onError(error: unknown): void;
  /** Folders within folders that are looked into; default: 64, which is the most. */
  depth?: number;
  /** A glob, or a text, of paths that are left out, with all below them. */
  ignored?: { glob: string } | { text: string };
  /** Whether what is there already counts as added. */
  includesExisting?: boolean;
  /** Whether a file is told of only once its size has stayed the same for two seconds. */
  awaitsWrites?: boolean;
  /** Milliseconds between looks at each file, for file systems that tell of nothing, such as those of a network; default: the system tells. */
  pollMs?: number;
}

export interface FileWatcher {
  /** Resolves when no further event comes. */
  close(): Promise<void>;
}
