import { type DeliveryAttempt, type JsonObject, testEvent } from '@sluice/domain';
import { sql } from 'kysely';
import type { Database } from '../connection/database.ts';
import { type SealedData, sealedColumns, toSealedData } from '../credentials/sealed-data.ts';
import { isBlocked } from '../executions/row/limits-of.ts';
import { constantSql } from '../statements/compiled.ts';
import type { SealedColumns } from '../tables/credential-tables.ts';

/** A delivery that this worker attempts now. */
export interface DueDelivery {
  id: string;
  subscriptionId: string;
  url: string;
  payload: JsonObject;
  /** Attempts since the event or its replay, including this one. */
  attempt: number;
  sealed: SealedData;
}

/** `next`: milliseconds until the next attempt; null if there is none. */
export type DeliveryOutcome =
  | { status: 'delivered' }
  | { status: 'pending'; pauseMs: number }
  | { status: 'failed'; disable?: string };

/**
 * Maximum number of subscriptions per round, and of deliveries per subscription: a slow receiver
 * does not delay others.
 */
const maxSubscriptions = 20;
const maxEach = 5;
/** Seconds after which an attempt's worker is assumed dead. */
const leaseSeconds = 60;
/** Maximum number of attempts recorded for a delivery. */
const maxLogged = 20;
/** Maximum number of pending deliveries of a subscription. */
const maxPending = 10_000;
const waitingBatchSize = 500;

/** The workers' side of deliveries. All workers may call every method concurrently. */
export class EventOutboxRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * Claims due deliveries; no other worker attempts them for a minute. `except`: subscriptions to
   * skip.
   */
  async take(except: readonly string[] = []): Promise<DueDelivery[]> {
    const { rows: subscriptions } = await sql<{ id: string }>`SELECT s.id FROM event_subscriptions s WHERE EXISTS (
      SELECT FROM event_deliveries d WHERE d.subscription_id = s.id AND d.status = 'pending' AND d.next_at <= clock_timestamp()
        AND (s.active OR d.type = ${testEvent})) AND s.id <> ALL (${except}::text[])
      ORDER BY random() LIMIT ${maxSubscriptions}`.execute(this.#db.kysely);
    if (subscriptions.length === 0) return [];
    const { rows } = await sql<Omit<DueDelivery, 'sealed'> & SealedColumns>`
      WITH due AS MATERIALIZED (
        SELECT d.id FROM event_subscriptions s CROSS JOIN LATERAL (
          SELECT id FROM event_deliveries WHERE subscription_id = s.id AND status = 'pending' AND next_at <= clock_timestamp()
            AND (s.active OR type = ${testEvent})
          ORDER BY next_at LIMIT ${maxEach} FOR UPDATE SKIP LOCKED) AS d
        WHERE s.id = ANY (${subscriptions.map(({ id }) => id)}::text[])
      )
      UPDATE event_deliveries d SET attempts = d.attempts + 1, next_at = clock_timestamp() + ${leaseSeconds} * interval '1 second'
      FROM due, event_subscriptions s WHERE d.id = due.id AND s.id = d.subscription_id
      RETURNING d.id, s.id AS "subscriptionId", s.url, d.payload, d.attempts AS attempt,
        ${sql.join(sealedColumns.map((column) => sql.ref(`s.${column}`)))}`.execute(this.#db.kysely);
    return rows.map(({ id, subscriptionId, url, payload, attempt, ...sealed }) => ({
      id,
      subscriptionId,
      url,
      payload,
      attempt,
      sealed: toSealedData(sealed),
    }));
  }

  /**
   * Records an attempt, unless the delivery has been replayed or claimed again. Disables the
   * subscription only if its URL has not changed since the attempt.
   */
  async settle(
    { id, subscriptionId, url, attempt }: DueDelivery,
    deliveryAttempt: DeliveryAttempt,
    outcome: DeliveryOutcome,
  ): Promise<void> {
    const pauseMs = outcome.status === 'pending' ? outcome.pauseMs : 0;
    const { numAffectedRows } =
      await sql`UPDATE event_deliveries SET status = ${outcome.status}, next_at = clock_timestamp() + ${pauseMs} * interval '1 millisecond',
      log = (SELECT json_agg(entry ORDER BY at) FROM (
        SELECT entry, at FROM json_array_elements(log) WITH ORDINALITY AS old (entry, at)
        UNION ALL SELECT ${JSON.stringify(deliveryAttempt)}::json, 1000000 ORDER BY at DESC LIMIT ${maxLogged}) AS newest)
      WHERE id = ${id} AND attempts = ${attempt} AND status = 'pending'`.execute(this.#db.kysely);
    if (numAffectedRows === 0n || outcome.status !== 'failed' || outcome.disable === undefined) return;
    await this.#db.kysely
      .updateTable('event_subscriptions')
      .set({ active: false, disabled_reason: outcome.disable })
      .where('id', '=', subscriptionId)
      .where('url', '=', url)
      .execute();
  }

  /**
   * Adds `execution.waiting` events, once per wait, for executions that have waited to start or to
   * resume for longer than a subscription of their project allows.
   */
  async noteWaiting(): Promise<void> {
    await sql`INSERT INTO event_deliveries (subscription_id, type, payload, subject)
      SELECT s.id, 'execution.waiting', execution_event('execution.waiting', w.e, now()), w.subject
      FROM event_subscriptions s CROSS JOIN LATERAL (
        SELECT b.at, first_execution_since(b.at) AS next_id FROM (
          SELECT now() - s.waiting_after_s * interval '1 second' AS at) AS b OFFSET 0) AS latest
      CROSS JOIN LATERAL (
        SELECT e, 'waiting ' || e.id || ' ' || e.attempt AS subject
        FROM (${suspended} UNION ALL ${unclaimed}) AS found JOIN executions e ON e.id = found.id
          JOIN workflows v ON v.id = e.workflow_id AND v.project_id = s.project_id
        WHERE NOT EXISTS (SELECT FROM event_deliveries d
          WHERE d.subscription_id = s.id AND d.subject = 'waiting ' || e.id || ' ' || e.attempt)
        LIMIT ${waitingBatchSize}) AS w
      WHERE s.active AND 'execution.waiting' = ANY (s.events)
      ON CONFLICT DO NOTHING`.execute(this.#db.kysely);
  }

  /** Gives up the oldest deliveries of subscriptions with too many pending ones. */
  async failExcess(): Promise<void> {
    await sql`UPDATE event_deliveries SET status = 'failed' WHERE status = 'pending' AND id IN (
      SELECT d.id FROM event_subscriptions s CROSS JOIN LATERAL (
        SELECT id FROM event_deliveries WHERE subscription_id = s.id AND status = 'pending'
        ORDER BY created_at DESC, id DESC OFFSET ${maxPending}) AS d)`.execute(this.#db.kysely);
  }
}

/**
 * Executions of the project of `s` that have waited for a time or a request since before
 * `latest.at`.
 */
const suspended = sql`SELECT e.id FROM executions e
  WHERE e.status = 'waiting' AND e.project_id = s.project_id AND e.queued_at < latest.at`;

/**
 * Executions that have waited for a worker or for a limit. `queued_at` is too late, or infinite:
 * the wait began with the execution, its suspension, or the end of the sub-execution or sibling
 * before it.
 */
const unclaimed = sql`SELECT e.id FROM executions e
  WHERE e.status IN ('new', 'running') AND e.worker_id IS NULL AND e.project_id = s.project_id
    AND e.id < latest.next_id AND (e.queued_at < 'infinity' OR ${constantSql(isBlocked('e'))})
    AND greatest(e.created_at,
      (SELECT to_timestamp(w.start_time / 1000.0) FROM execution_waits w WHERE w.execution_id = e.id AND w.attempt = e.attempt),
      (SELECT max(c.stopped_at) FROM executions c WHERE c.parent_execution_id IN (e.id, e.parent_execution_id))) < latest.at`;
