import type { Logger } from '@sluice/logger';

export interface ServiceOptions {
  /** Absolute path of the directory that holds its data; made when absent. */
  dataDir: string;
  /** A private directory with a short path, for sockets: see `makeRuntimeDirectory`. */
  runtimeDir: string;
  /** Gets the server's own log. */
  logFile: string;
  /**
   * Whether data survive a crash of the machine, and the server a crash of this process. Default: true. Tests say false: no fsync,
   * and the server ends when this process does.
   */
  durable?: boolean;
  logger: Logger;
  /** Told, in a few words for people, of each step that may take longer than a second. */
  onProgress?: (step: string) => void;
}

/** A running Postgres or Redis of ours. */
export interface EmbeddedService {
  /** For clients on this machine that run as the same user. */
  readonly url: string;
  /** Resolves when the server is gone, for whatever reason. */
  readonly exited: Promise<void>;
  /** Stops it in good order, connections open or not. Safe to repeat. */
  stop(): Promise<void>;
}
