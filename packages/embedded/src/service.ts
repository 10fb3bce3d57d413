import type { Logger } from '@sluice/logger';

export interface ServiceOptions {
  /** Absolute path of its data directory; created if absent. */
  dataDir: string;
  /** A private directory with a short path, for sockets: see `makeRuntimeDirectory`. */
  runtimeDir: string;
  /** Receives the server's own log. */
  logFile: string;
  /**
   * Whether data survives a crash of the machine, and the server a crash of this process. Default:
   * true. Tests pass false: no fsync, and the server exits with this process.
   */
  durable?: boolean;
  logger: Logger;
  /** Receives a short message for users before each step that may take longer than a second. */
  onProgress?: (step: string) => void;
  /** Aborts a start that is not complete; the start rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** A running embedded Postgres or Redis. */
export interface EmbeddedService {
  /** For clients on this machine that run as the same user. */
  readonly url: string;
  /** Resolves when the server has exited, for any reason. */
  readonly exited: Promise<void>;
  /** Stops it cleanly, even with open connections. Safe to repeat. */
  stop(): Promise<void>;
}
