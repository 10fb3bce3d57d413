import type { ExecutionId } from '@sluice/domain';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../tables/tables.ts';

/** Graphs checked per transaction. */
const graphBatch = 20;
/**
 * Milliseconds after which no further graph is deleted for now. The foreign key makes each deletion
 * read the index entries of all executions of the workflow: 0.1 s for 300,000.
 */
const graphsMs = 1_000;

/**
 * Deletes expired rows: idempotency keys, including those of webhooks, after 24 hours; test URLs;
 * abandoned OAuth2 consents; deliveries of events after a week; old conversations; rows of deleted data
 * tables; graphs that nothing uses; what AI nodes of deleted executions have used; and audit lines, if they are
 * kept for a limited time. Processes may do so concurrently: locked rows are skipped.
 */
export class ExpiredRowRepository {
  readonly #db: Kysely<Tables>;
  readonly #batch: number;
  /** Where the search for rows of deleted executions continues. */
  #usagesAfter: ExecutionId = '0';

  /** `batch`: rows per transaction. */
  constructor(db: Kysely<Tables>, { batch = 1_000 } = {}) {
    this.#db = db;
    this.#batch = batch;
  }

  /** Deletes one batch. Resolves to whether there may be more. */
  async deleteIdempotencyKeys(): Promise<boolean> {
    // One hour of grace, in which a repeated request in flight still finds its key.
    const deleted = sql`
      DELETE FROM idempotency_keys k USING (
        SELECT user_id, path, key FROM idempotency_keys WHERE created_at < now() - interval '25 hours'
        ORDER BY created_at LIMIT ${this.#batch} FOR UPDATE SKIP LOCKED
      ) old WHERE (k.user_id, k.path, k.key) = (old.user_id, old.path, old.key)`;
    return this.#isFull(deleted);
  }

  /** Deletes one batch. Resolves to whether there may be more. */
  async deleteWebhookKeys(): Promise<boolean> {
    const deleted = sql`
      DELETE FROM webhook_keys k USING (
        SELECT workflow_id, node_name, key FROM webhook_keys WHERE created_at < now() - interval '25 hours'
        ORDER BY created_at LIMIT ${this.#batch} FOR UPDATE SKIP LOCKED
      ) old WHERE (k.workflow_id, k.node_name, k.key) = (old.workflow_id, old.node_name, old.key)`;
    return this.#isFull(deleted);
  }

  /**
   * Deletes one batch. Resolves to whether there may be more. For one hour of grace, users can
   * still see what a test request started.
   */
  async deleteTestUrls(): Promise<boolean> {
    const deleted = sql`
      DELETE FROM test_urls WHERE workflow_id IN (
        SELECT workflow_id FROM test_urls WHERE expires_at < now() - interval '1 hour'
        ORDER BY expires_at LIMIT ${this.#batch} FOR UPDATE SKIP LOCKED)`;
    return this.#isFull(deleted);
  }

  /** Deletes one batch. Resolves to whether there may be more. */
  async deleteConsents(): Promise<boolean> {
    const deleted = sql`
      DELETE FROM credential_consents WHERE state_hash IN (
        SELECT state_hash FROM credential_consents WHERE expires_at < now()
        ORDER BY expires_at LIMIT ${this.#batch} FOR UPDATE SKIP LOCKED)`;
    return this.#isFull(deleted);
  }

  /**
   * Deletes one batch. Resolves to whether there may be more. The delivery that has reported a wait
   * stays as long as the wait: it keeps the wait from being reported again.
   */
  async deleteEventDeliveries(): Promise<boolean> {
    const deleted = sql`
      DELETE FROM event_deliveries WHERE id IN (
        SELECT d.id FROM event_deliveries d WHERE d.created_at < now() - interval '7 days'
          AND NOT CASE d.type WHEN 'execution.waiting' THEN EXISTS (SELECT FROM executions e
            WHERE e.id = split_part(d.subject, ' ', 2)::bigint AND e.attempt = split_part(d.subject, ' ', 3)::integer
              AND e.status IN ('new', 'running', 'waiting')) ELSE false END
        ORDER BY d.created_at LIMIT ${this.#batch} FOR UPDATE OF d SKIP LOCKED)`;
    return this.#isFull(deleted);
  }

  /** Deletes one batch of conversations unchanged for `days`. Resolves to whether there may be more. */
  async deleteChatSessions(days: number): Promise<boolean> {
    const deleted = sql`
      DELETE FROM chat_sessions s USING (
        SELECT workflow_id, hash FROM chat_sessions WHERE updated_at < now() - make_interval(days => ${days}::integer)
        ORDER BY updated_at LIMIT ${this.#batch} FOR UPDATE SKIP LOCKED
      ) old WHERE (s.workflow_id, s.hash) = (old.workflow_id, old.hash)`;
    return this.#isFull(deleted);
  }

  /** Deletes one batch of rows of a deleted data table. Resolves to whether there may be more. */
  async deleteDataTableRows(): Promise<boolean> {
    return this.#db.transaction().execute(async (tx) => {
      const { rows: left } = await sql<{ table_id: string }>`
        SELECT table_id FROM data_table_leftovers LIMIT 1 FOR UPDATE SKIP LOCKED`.execute(tx);
      const tableId = left[0]?.table_id;
      if (tableId === undefined) return false;
      const { numAffectedRows = 0n } = await sql`
        DELETE FROM data_table_rows WHERE table_id = ${tableId} AND id IN (
          SELECT id FROM data_table_rows WHERE table_id = ${tableId} ORDER BY id LIMIT ${this.#batch})`.execute(tx);
      if (Number(numAffectedRows) < this.#batch)
        await tx.deleteFrom('data_table_leftovers').where('table_id', '=', tableId).execute();
      return true;
    });
  }

  /**
   * Checks one batch of graphs, and deletes those that no version, execution, or test URL uses.
   * Resolves to whether there may be more, and deleting them is fast enough to continue.
   */
  async deleteUnusedGraphs(): Promise<boolean> {
    const beganAt = performance.now();
    const isSlow = () => performance.now() - beganAt > graphsMs;
    const batch = Math.min(this.#batch, graphBatch);
    const count = await this.#db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ workflow_id: string; hash: string }>`
        SELECT workflow_id, hash FROM workflow_graphs WHERE check_at < now()
        ORDER BY check_at LIMIT ${batch} FOR UPDATE SKIP LOCKED`.execute(tx);
      if (rows.length === 0) return 0;
      const isDue = sql`(g.workflow_id, g.hash) IN (SELECT * FROM unnest(
        ${rows.map((row) => row.workflow_id)}::text[], ${rows.map(({ hash }) => hash)}::text[]))`;
      const isOfVersion = sql`EXISTS (SELECT FROM workflow_versions v WHERE v.workflow_id = g.workflow_id AND v.graph_hash = g.hash)`;
      // Statements of their own, which see everything that referred to a graph before it was locked.
      // The lock keeps further references out, by their foreign keys.
      await sql`UPDATE workflow_graphs g SET check_at = CASE WHEN NOT ${isOfVersion} THEN now() + interval '1 day' END
        WHERE ${isDue} AND (${isOfVersion}
          OR EXISTS (SELECT FROM executions e
            WHERE e.workflow_id = g.workflow_id AND e.graph_hash = g.hash AND e.version_id IS NULL)
          OR EXISTS (SELECT FROM test_urls t WHERE t.workflow_id = g.workflow_id AND t.graph_hash = g.hash))`.execute(tx);
      for (const { workflow_id, hash } of rows) {
        if (isSlow()) break;
        const isDueGraph = sql`workflow_id = ${workflow_id} AND hash = ${hash} AND check_at < now()`;
        // Deleting a graph deletes its executions, so this looks for any, as the foreign key does.
        await sql`DELETE FROM workflow_graphs g WHERE ${isDueGraph}
          AND NOT EXISTS (SELECT FROM executions e WHERE e.workflow_id = g.workflow_id AND e.graph_hash = g.hash)`.execute(tx);
        await sql`UPDATE workflow_graphs SET check_at = now() + interval '1 day' WHERE ${isDueGraph}`.execute(tx);
      }
      return rows.length;
    });
    return count === batch && !isSlow();
  }

  /**
   * Looks through one batch and deletes rows of deleted executions. The next call continues after it, because
   * most rows are kept as long as their execution. Resolves to whether there are more. A day of grace: executions
   * that were called and nothing waits for may still run.
   */
  async deleteAiUsages(): Promise<boolean> {
    const { rows } = await sql<{ last: ExecutionId | null; count: number }>`
      WITH page AS MATERIALIZED (
        SELECT root_execution_id AS id FROM ai_usages WHERE root_execution_id > ${this.#usagesAfter}::bigint
        ORDER BY root_execution_id LIMIT ${this.#batch}
      ), gone AS (
        DELETE FROM ai_usages WHERE used_at < now() - interval '1 day' AND root_execution_id IN (
          SELECT id FROM page WHERE NOT EXISTS (SELECT FROM executions e WHERE e.id = page.id))
      )
      SELECT max(id) AS last, count(*)::int AS count FROM page`.execute(this.#db);
    const { last = null, count = 0 } = rows[0] ?? {};
    const isFull = count === this.#batch;
    this.#usagesAfter = isFull && last !== null ? last : '0';
    return isFull;
  }

  /**
   * Deletes one batch of lines older than `days`, at least one day. Resolves to whether there may
   * be more.
   */
  async deleteAuditLines(days: number): Promise<boolean> {
    const deleted = sql`
      DELETE FROM audit_log WHERE id IN (
        SELECT id FROM audit_log WHERE at < now() - make_interval(days => ${days}::integer)
        ORDER BY at LIMIT ${this.#batch} FOR UPDATE SKIP LOCKED)`;
    return this.#db.transaction().execute(async (tx) => {
      await sql`SELECT set_config('sluice.audit_retention_days', ${String(days)}, true)`.execute(tx);
      const { numAffectedRows = 0n } = await deleted.execute(tx);
      return Number(numAffectedRows) === this.#batch;
    });
  }

  async #isFull(statement: RawBuilder<unknown>): Promise<boolean> {
    const { numAffectedRows = 0n } = await statement.execute(this.#db);
    return Number(numAffectedRows) === this.#batch;
  }
}
