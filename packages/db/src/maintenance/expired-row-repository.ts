import type { ExecutionId } from '@sluice/domain';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../tables/tables.ts';

/** Number of graphs checked per transaction. */
const graphBatchSize = 20;
/**
 * Milliseconds after which a pass deletes no further graphs. The foreign key makes each deletion
 * read the index entries of all executions of the workflow: 0.1 s for 300,000.
 */
const graphsMs = 1_000;

/**
 * Keys are valid for 24 hours, plus a grace period of one hour in which a repeated request in
 * flight still finds its key.
 */
const keysBefore = sql`now() - interval '25 hours'`;

/**
 * Deletes expired rows: idempotency keys, including those of webhooks, after 24 hours; test URLs;
 * abandoned OAuth2 consents; deliveries of events after a week; old conversations; rows of deleted
 * data tables; graphs that nothing uses; AI usage of deleted executions; and audit lines, if they
 * are kept for a limited time. Processes may do so concurrently: locked rows are skipped. Each
 * method handles one batch, and resolves to whether there may be more.
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

  deleteIdempotencyKeys(): Promise<boolean> {
    return this.#deleteOldest('idempotency_keys', ['user_id', 'path', 'key'], 'created_at', keysBefore);
  }

  deleteWebhookKeys(): Promise<boolean> {
    return this.#deleteOldest('webhook_keys', ['workflow_id', 'node_name', 'key'], 'created_at', keysBefore);
  }

  /** For a grace period of one hour, users can still see which execution a test request started. */
  deleteTestUrls(): Promise<boolean> {
    return this.#deleteOldest('test_urls', ['workflow_id'], 'expires_at', sql`now() - interval '1 hour'`);
  }

  deleteConsents(): Promise<boolean> {
    return this.#deleteOldest('credential_consents', ['state_hash'], 'expires_at', sql`now()`);
  }

  /**
   * The delivery that reported a wait is kept as long as the wait, so that the wait is not reported
   * again.
   */
  deleteEventDeliveries(): Promise<boolean> {
    const reportsNoWait = sql`NOT CASE type WHEN 'execution.waiting' THEN EXISTS (SELECT FROM executions e
      WHERE e.id = split_part(event_deliveries.subject, ' ', 2)::bigint AND e.attempt = split_part(event_deliveries.subject, ' ', 3)::integer
        AND e.status IN ('new', 'running', 'waiting')) ELSE false END`;
    return this.#deleteOldest('event_deliveries', ['id'], 'created_at', sql`now() - interval '7 days' AND ${reportsNoWait}`);
  }

  /** Conversations that have not changed for `days`. */
  deleteChatSessions(days: number): Promise<boolean> {
    const since = sql`now() - make_interval(days => ${days}::integer)`;
    return this.#deleteOldest('chat_sessions', ['workflow_id', 'hash'], 'updated_at', since);
  }

  /** Rows of a deleted data table. */
  async deleteDataTableRows(): Promise<boolean> {
    return this.#db.transaction().execute(async (tx) => {
      const { rows: remainingRows } = await sql<{ table_id: string }>`
        SELECT table_id FROM data_table_leftovers LIMIT 1 FOR UPDATE SKIP LOCKED`.execute(tx);
      const tableId = remainingRows[0]?.table_id;
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
   * Graphs that no version, execution, or test URL uses. Also resolves to false if deleting them is
   * too slow to continue.
   */
  async deleteUnusedGraphs(): Promise<boolean> {
    const beganAt = performance.now();
    const isSlow = () => performance.now() - beganAt > graphsMs;
    const batch = Math.min(this.#batch, graphBatchSize);
    const count = await this.#db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ workflow_id: string; hash: string }>`
        SELECT workflow_id, hash FROM workflow_graphs WHERE check_at < now()
        ORDER BY check_at LIMIT ${batch} FOR UPDATE SKIP LOCKED`.execute(tx);
      if (rows.length === 0) return 0;
      const isDue = sql`(g.workflow_id, g.hash) IN (SELECT * FROM unnest(
        ${rows.map((row) => row.workflow_id)}::text[], ${rows.map(({ hash }) => hash)}::text[]))`;
      const isOfVersion = sql`EXISTS (SELECT FROM workflow_versions v WHERE v.workflow_id = g.workflow_id AND v.graph_hash = g.hash)`;
      // Separate statements, which read all references to a graph that were made before it was
      // locked. The lock prevents further references through their foreign keys.
      await sql`UPDATE workflow_graphs g SET check_at = CASE WHEN NOT ${isOfVersion} THEN now() + interval '1 day' END
        WHERE ${isDue} AND (${isOfVersion}
          OR EXISTS (SELECT FROM executions e
            WHERE e.workflow_id = g.workflow_id AND e.graph_hash = g.hash AND e.version_id IS NULL)
          OR EXISTS (SELECT FROM test_urls t WHERE t.workflow_id = g.workflow_id AND t.graph_hash = g.hash))`.execute(tx);
      for (const { workflow_id, hash } of rows) {
        if (isSlow()) break;
        const isDueGraph = sql`workflow_id = ${workflow_id} AND hash = ${hash} AND check_at < now()`;
        // Deleting a graph deletes its executions, so this checks for executions, as the foreign
        // key does.
        await sql`DELETE FROM workflow_graphs g WHERE ${isDueGraph}
          AND NOT EXISTS (SELECT FROM executions e WHERE e.workflow_id = g.workflow_id AND e.graph_hash = g.hash)`.execute(tx);
        await sql`UPDATE workflow_graphs SET check_at = now() + interval '1 day' WHERE ${isDueGraph}`.execute(tx);
      }
      return rows.length;
    });
    return count === batch && !isSlow();
  }

  /**
   * Checks one batch and deletes the rows of deleted executions. The next call continues after it,
   * because most rows are kept as long as their execution. Resolves to whether there are more. The
   * grace period is a day: called executions that nothing waits for may still run.
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

  /** Lines older than `days`, which is at least 1. */
  deleteAuditLines(days: number): Promise<boolean> {
    const before = sql`now() - make_interval(days => ${days}::integer)`;
    return this.#db.transaction().execute(async (tx) => {
      await sql`SELECT set_config('sluice.audit_retention_days', ${String(days)}, true)`.execute(tx);
      return this.#deleteOldest('audit_log', ['id'], 'at', before, tx);
    });
  }

  /**
   * Deletes the oldest rows whose `time` is before a timestamp; `before` may contain further
   * conditions.
   */
  async #deleteOldest(
    table: keyof Tables,
    key: readonly string[],
    time: string,
    before: RawBuilder<unknown>,
    db = this.#db,
  ): Promise<boolean> {
    const columns = sql.join(key.map((column) => sql.ref(column)));
    const { numAffectedRows = 0n } = await sql`
      DELETE FROM ${sql.table(table)} WHERE (${columns}) IN (
        SELECT ${columns} FROM ${sql.table(table)} WHERE ${sql.ref(time)} < ${before}
        ORDER BY ${sql.ref(time)} LIMIT ${this.#batch} FOR UPDATE SKIP LOCKED)`.execute(db);
    return Number(numAffectedRows) === this.#batch;
  }
}
