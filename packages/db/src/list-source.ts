import { isAppError } from '@sluice/domain';
import type { Logger } from '@sluice/logger';
import type { Database } from './database.ts';
import { ReplicaLag } from './replica-lag.ts';

export interface ListSourceOptions<Reader> {
  primary: Database;
  /** Null: all lists are read from the primary. */
  replica: Database | null;
  /** Age of the replica's data, in milliseconds, above which it is not used. */
  maxLagMs: number;
  /** Makes what reads lists from a database. */
  readerOf: (db: Database) => Reader;
  logger: Logger;
}

/**
 * Reads lists and counts from the replica while its data is recent enough, and from the primary
 * otherwise. Nothing that decides about anything may read here.
 */
export class ListSource<Reader> {
  readonly #options: ListSourceOptions<Reader>;
  readonly #primary: Reader;
  readonly #replica: Reader | undefined;
  readonly #lag: ReplicaLag | undefined;
  readonly #intervalMs: number;
  #timer: NodeJS.Timeout | undefined;
  #wasUsable: boolean | undefined;
  #closed = false;

  constructor(options: ListSourceOptions<Reader>) {
    const { primary, replica, readerOf, maxLagMs } = options;
    this.#options = options;
    this.#primary = readerOf(primary);
    this.#replica = replica ? readerOf(replica) : undefined;
    this.#lag = replica ? new ReplicaLag(primary, replica) : undefined;
    this.#intervalMs = Math.min(1_000, maxLagMs / 4);
    if (this.#lag) void this.#beat(this.#lag);
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
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  get #usable(): boolean {
    const { replica, maxLagMs } = this.#options;
    return replica?.up === true && (this.#lag?.ms ?? Number.POSITIVE_INFINITY) <= maxLagMs;
  }

  async #beat(lag: ReplicaLag): Promise<void> {
    await lag.measure().catch(() => undefined); // the age shows it
    if (this.#closed) return;
    this.#note(lag);
    this.#timer = setTimeout(() => void this.#beat(lag), this.#intervalMs).unref();
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
