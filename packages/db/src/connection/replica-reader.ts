import { isAppError, repeatedly } from '@sluice/domain';
import type { Logger } from '@sluice/logger';
import type { Database } from './database.ts';
import { ReplicaLag } from './replica-lag.ts';

interface ReplicaReaderOptions<Reader> {
  primary: Database;
  /** Null: all lists are read from the primary. */
  replica: Database | null;
  /** Age of the replica's data, in milliseconds, above which it is not used. */
  maxLagMs: number;
  /** Makes the object that reads lists from a database. */
  readerOf: (db: Database) => Reader;
  logger: Logger;
}

/**
 * Reads lists and counts from the replica while its data is recent enough, and from the primary
 * otherwise. Reads that decisions are based on must not use it.
 */
export class ReplicaReader<Reader> {
  readonly #options: ReplicaReaderOptions<Reader>;
  readonly #primary: Reader;
  readonly #replica: Reader | undefined;
  readonly #lag: ReplicaLag | undefined;
  readonly #stopping = new AbortController();
  #wasUsable: boolean | undefined;

  constructor(options: ReplicaReaderOptions<Reader>) {
    const { primary, replica, readerOf, maxLagMs } = options;
    this.#options = options;
    this.#primary = readerOf(primary);
    this.#replica = replica ? readerOf(replica) : undefined;
    if (!replica) return;
    const lag = new ReplicaLag(primary, replica, maxLagMs);
    this.#lag = lag;
    const { signal } = this.#stopping;
    const onError = () => undefined; // the age shows it
    repeatedly(() => this.#measure(lag), { pauseMs: Math.min(1_000, maxLagMs / 4), firstMs: 0, signal, onError });
  }

  /** `work` must only read: it is repeated on the primary if the replica becomes unavailable. */
  async read<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    if (!this.#replica || !this.#usable) return work(this.#primary);
    try {
      return await work(this.#replica);
    } catch (error) {
      if (!isAppError(error) || !error.retryable) throw error;
      return work(this.#primary);
    }
  }

  close(): void {
    this.#stopping.abort();
  }

  get #usable(): boolean {
    const { replica, maxLagMs } = this.#options;
    return replica?.up === true && (this.#lag?.ms ?? Number.POSITIVE_INFINITY) <= maxLagMs;
  }

  async #measure(lag: ReplicaLag): Promise<void> {
    try {
      await lag.measure();
    } finally {
      if (!this.#stopping.signal.aborted) this.#note(lag);
    }
  }

  #note(lag: ReplicaLag): void {
    const usable = this.#usable;
    if (usable === this.#wasUsable) return;
    this.#wasUsable = usable;
    const { logger } = this.#options;
    if (usable) logger.info({}, 'lists are read from the replica');
    else
      logger.warn(
        { lagMs: Number.isFinite(lag.ms) ? Math.round(lag.ms) : null },
        'the replica lags; lists are read from the primary',
      );
  }
}
