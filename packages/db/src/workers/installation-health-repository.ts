import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables/tables.ts';

/** Problems that only the database reveals. */
export interface InstallationState {
  /** Workers whose lease has not expired. */
  liveWorkers: number;
  /** Age of the oldest execution that waits to start, in milliseconds; 0 if there is none. */
  oldestQueuedMs: number;
  /** `max_connections` of the server. */
  maxConnections: number;
}

export class InstallationHealthRepository {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  async read(): Promise<InstallationState> {
    const { rows } = await sql<InstallationState>`SELECT
      (SELECT count(*)::int FROM workers WHERE lease_expires_at > now()) AS "liveWorkers",
      coalesce((SELECT extract(epoch FROM now() - min(created_at)) * 1000 FROM executions WHERE status = 'new'), 0)::float8
        AS "oldestQueuedMs",
      current_setting('max_connections')::int AS "maxConnections"`.execute(this.#db);
    return rows[0] as InstallationState;
  }
}
