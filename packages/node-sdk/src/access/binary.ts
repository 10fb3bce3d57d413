import type { BinaryReference } from '@sluice/domain';

/** Bytes from a node. A stream is read once, with back-pressure, and never buffered whole. */
export type BinaryContent = Uint8Array | AsyncIterable<Uint8Array>;

/** Known properties of a file. Missing properties are derived from the others. */
export interface FileDescription {
  /** With its extension, without a folder. */
  fileName?: string;
  /** Default: derived from the extension, else `application/octet-stream`. */
  mimeType?: string;
}

/** The files of one execution. Items contain references, never bytes. */
export interface BinaryAccess {
  /**
   * Stores a file for the lifetime of the execution. Throws `BINARY_TOO_LARGE` if the file, or all
   * files of the execution, exceed the limit.
   */
  store(content: BinaryContent, file: FileDescription): Promise<BinaryReference>;
  /**
   * Reads a file that this execution may access into memory. Throws `BINARY_NOT_FOUND`, and
   * `BINARY_TOO_LARGE` for more than `maxBytes` (default: the limit of one file).
   */
  read(reference: BinaryReference, maxBytes?: number): Promise<Uint8Array>;
  /** Opens a file as a stream. Throws `BINARY_NOT_FOUND`. */
  open(reference: BinaryReference): Promise<AsyncIterable<Uint8Array>>;
}

/**
 * The folders that an operator lets nodes read and write (`FILES_DIR`). Paths and links outside of
 * them throw `FILE_NOT_ALLOWED`.
 */
export interface FileAccess {
  /**
   * Paths of the files that match a glob, sorted. A path without wildcards returns itself, or
   * throws `FILE_NOT_FOUND` if it does not exist.
   */
  list(pattern: string): Promise<readonly string[]>;
  /** Throws `FILE_NOT_FOUND`. */
  open(path: string): Promise<AsyncIterable<Uint8Array>>;
  /** Writes a file atomically. `append` adds to the existing content. */
  write(path: string, content: BinaryContent, options?: { append?: boolean }): Promise<void>;
  /**
   * Watches a file, or a folder and its subfolders, without following links. Resolves once watching
   * has started. Absent if watching is not available. Throws `FILE_NOT_FOUND`, and
   * `FILE_NOT_ALLOWED` also for a folder that is too large.
   */
  watch?(path: string, options: FileWatchOptions): Promise<FileWatcher>;
}

export const fileEvents = ['add', 'change', 'unlink', 'addDir', 'unlinkDir'] as const;
export type FileEvent = (typeof fileEvents)[number];

export interface FileWatchOptions {
  onEvent(event: FileEvent, path: string): void;
  /** Called once, if the watcher cannot continue. */
  onError(error: unknown): void;
  /** Levels of subfolders; default and maximum: 64. */
  depth?: number;
  /** A glob or text that excludes matching paths and everything below them. */
  ignored?: { glob: string } | { text: string };
  /** Whether existing files count as added. */
  includesExisting?: boolean;
  /** Whether to report a file only after its size has been stable for two seconds. */
  awaitsWrites?: boolean;
  /**
   * Poll interval in milliseconds for file systems without change events, such as network mounts.
   * Default: use system events.
   */
  pollMs?: number;
}

export interface FileWatcher {
  /** Resolves once no further events will arrive. */
  close(): Promise<void>;
}
