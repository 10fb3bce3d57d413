import type { Database } from './database.ts';

/** A position in the write-ahead log that the primary had reached at a time. */
interface Sample {
  /** Time from `performance.now()`, before the position was read. */
  at: number;
  position: bigint;
}

const primaryText = `SELECT (pg_current_wal_lsn() - '0/0')::text AS position`;
const replicaText = `SELECT (pg_last_wal_replay_lsn() - '0/0')::text AS position`;

/**
 * How old the data of a physical replica is: it contains everything that the primary had committed
 * when it reached the position that the replica has replayed. Unlike
 * `pg_last_xact_replay_timestamp`, this is also correct for an idle primary and for a replica that
 * lost its connection.
 */
export class ReplicaLag {
  readonly #primary: Database;
  readonly #replica: Database;
  readonly #maxMs: number;
  #samples: Sample[] = [];
  #freshAt = Number.NEGATIVE_INFINITY;

  /**
   * `maxMs`: positions older than this are discarded; a replica that reaches only those keeps its
   * last `ms`.
   */
  constructor(primary: Database, replica: Database, maxMs: number) {
    this.#primary = primary;
    this.#replica = replica;
    this.#maxMs = maxMs;
  }

  /**
   * Milliseconds since the replica was last known to be complete; infinite before a measurement.
   */
  get ms(): number {
    return performance.now() - this.#freshAt;
  }

  /** Throws `UnavailableError` while either server is unreachable. */
  async measure(): Promise<void> {
    const at = performance.now();
    const position = await positionOf(this.#primary, 'wal-position', primaryText);
    if (position !== undefined) this.#samples.push({ at, position });
    this.#samples = this.#samples.filter((sample) => at - sample.at <= this.#maxMs);
    const replayed = await positionOf(this.#replica, 'replayed-position', replicaText);
    if (replayed === undefined) return; // not a replica, or no longer one
    const reached = this.#samples.findLastIndex((sample) => sample.position <= replayed);
    if (reached < 0) return;
    this.#freshAt = this.#samples[reached]?.at ?? this.#freshAt;
    this.#samples = this.#samples.slice(reached + 1);
  }
}

async function positionOf(db: Database, name: string, text: string): Promise<bigint | undefined> {
  const [row] = await db.query<{ position: string | null }>({ name, text, values: [] });
  return row?.position == null ? undefined : BigInt(row.position);
}
