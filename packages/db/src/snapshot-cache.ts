import { SharedRead } from '@sluice/domain';
import type { Database } from './connection/database.ts';
import { ShortCache } from './short-cache.ts';

/** How long a result is kept, in milliseconds, and how many are kept. */
const keepMs = 1_000;
const maxResults = 100;

interface CachedResult<Result> {
  snapshot: string;
  result: Result;
}

/**
 * Repeats its last result if nothing has changed in the database since: the snapshot of a statement
 * remains the same until a writing transaction begins or ends. Otherwise, equal concurrent requests
 * share one read. Either way, a result is as fresh as if the caller had read it.
 */
export class SnapshotCache<Result> {
  readonly #snapshot: () => Promise<string>;
  readonly #keeps: (result: Result) => boolean;
  readonly #snapshots = new SharedRead<string>();
  readonly #reads = new SharedRead<Result>();
  readonly #cached = new ShortCache<CachedResult<Result>>({ ms: keepMs, maxEntries: maxResults });

  /**
   * `snapshot`: identifies the snapshot of a statement that begins now. `keeps`: whether a result
   * may be repeated; default: each.
   */
  constructor(snapshot: () => Promise<string>, keeps: (result: Result) => boolean = () => true) {
    this.#snapshot = snapshot;
    this.#keeps = keeps;
  }

  /**
   * `key` identifies the query in `read` and who may see the result. Callers that share a result
   * receive the same object.
   */
  async get(key: string, read: () => Promise<Result>): Promise<Result> {
    const snapshot = await this.#snapshots.ask('', this.#snapshot);
    const cached = this.#cached.get(key);
    if (cached?.snapshot === snapshot) return cached.result;
    const result = await this.#reads.ask(key, read);
    if (this.#keeps(result)) this.#cached.set(key, { snapshot, result }); // read after that snapshot, so never older
    return result;
  }
}

/** Text that differs whenever a statement might see different data. */
export async function currentSnapshot(db: Database): Promise<string> {
  const text = 'SELECT pg_current_snapshot()::text AS snapshot';
  const [row] = await db.query<{ snapshot: string }>({ name: 'current-snapshot', text, values: [] });
  return row?.snapshot ?? '';
}
