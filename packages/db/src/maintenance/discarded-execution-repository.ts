import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables/tables.ts';

/** A small batch, because node runs are deleted with their execution. */
const batch = 100;

/**
 * Executions that their workflows do not keep. They are deleted once the grace period for reading
 * their result is over and their parent has ended.
 */
export class DiscardedExecutionRepository {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /** Deletes a batch; processes may do so concurrently. Resolves to whether there may be more. */
  async deleteSome(): Promise<boolean> {
    const { numAffectedRows = 0n } = await sql`
      DELETE FROM executions WHERE id IN (
        SELECT id FROM executions e WHERE discard_at < now() AND NOT EXISTS (
          SELECT FROM executions p WHERE p.id = e.parent_execution_id AND p.status = 'running')
        ORDER BY discard_at LIMIT ${batch} FOR UPDATE OF e SKIP LOCKED)`.execute(this.#db);
    return Number(numAffectedRows) === batch;
  }
}
