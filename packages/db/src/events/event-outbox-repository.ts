import { type DeliveryAttempt, type JsonObject, testEvent } from '@sluice/domain';
import { sql } from 'kysely';
import type { Database } from '../database.ts';
import { type SealedData, sealedColumns, toSealedData } from '../repositories/sealed-data.ts';
import type { SealedColumns } from '../tables/credential-tables.ts';

/** A delivery that this worker attempts now. */
export interface DueDelivery {
  id: string;
  subscriptionId: string;
  url: string;
  payload: JsonObject;
  /** Attempts since the event or its replay, this one included. */
  attempt: number;
  sealed: SealedData;
}

/** `next`: milliseconds until the next attempt; null: there is none. */
export type DeliveryOutcome =
  | { status: 'delivered' }
  | { status: 'pending'; pauseMs: number }
  | { status: 'failed'; disable?: string };

/** Subscriptions served per round, and deliveries of each, so that a slow receiver delays no other. */
const maxSubscriptions = 20;
const maxEach = 5;
/** Seconds after which an attempt counts as lost with its worker. */
const holdSeconds = 60;
/** Attempts that a delivery records. */
const maxLogged = 20;
/** Deliveries of a subscription that may be pending. */
const maxPending = 10_000;
const waitingBatch = 500;

/** The workers' side of deliveries. All workers may call every method concurrently. */
export class EventOutboxRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Takes due deliveries; no other worker attempts them for a minute. `except`: subscriptions to leave out. */
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
      UPDATE event_deliveries d SET attempts = d.attempts + 1, next_at = clock_timestamp() + ${holdSeconds} * interval '1 second'
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

  /** Records an attempt, unless the delivery was replayed or taken again meanwhile. */
  async settle({ id, subscriptionId, attempt }: DueDelivery, made: DeliveryAttempt, outcome: DeliveryOutcome): Promise<void> {
    const pauseMs = outcome.status === 'pending' ? outcome.pauseMs : 0;
    await sql`UPDATE event_deliveries SET status = ${outcome.status}, next_at = clock_timestamp() + ${pauseMs} * interval '1 millisecond',
      log = (SELECT json_agg(entry ORDER BY at) FROM (
        SELECT entry, at FROM json_array_elements(log) WITH ORDINALITY AS old (entry, at)
        UNION ALL SELECT ${JSON.stringify(made)}::json, 1000000 ORDER BY at DESC LIMIT ${maxLogged}) AS newest)
      WHERE id = ${id} AND attempts = ${attempt} AND status = 'pending'`.execute(this.#db.kysely);
    if (outcome.status !== 'failed' || outcome.disable === undefined) return;
    await this.#db.kysely
      .updateTable('event_subscriptions')
      .set({ active: false, disabled_reason: outcome.disable })
      .where('id', '=', subscriptionId)
      .execute();
  }

  /**
   * Writes `execution.waiting` for executions that have waited to start or to resume for longer than
   * a subscription of their project allows; once for each wait.
   */
  async noteWaiting(): Promise<void> {
    await sql`INSERT INTO event_deliveries (subscription_id, type, payload, subject)
      SELECT s.id, 'execution.waiting', execution_event('execution.waiting', w.e, now()), w.subject
      FROM event_subscriptions s CROSS JOIN LATERAL (
        SELECT e, 'waiting ' || e.id || ' ' || e.attempt AS subject FROM executions e
        WHERE e.status IN ('new', 'waiting') AND e.project_id = s.project_id
          AND e.queued_at < now() - s.waiting_after_s * interval '1 second'
          AND NOT EXISTS (SELECT FROM event_deliveries d
            WHERE d.subscription_id = s.id AND d.subject = 'waiting ' || e.id || ' ' || e.attempt)
        LIMIT ${waitingBatch}) AS w
      WHERE s.active AND 'execution.waiting' = ANY (s.events)
      ON CONFLICT DO NOTHING`.execute(this.#db.kysely);
  }

  /** Gives up the oldest deliveries of subscriptions with too many pending ones. */
  async giveUpExcess(): Promise<void> {
    await sql`UPDATE event_deliveries SET status = 'failed' WHERE id IN (
      SELECT d.id FROM event_subscriptions s CROSS JOIN LATERAL (
        SELECT id FROM event_deliveries WHERE subscription_id = s.id AND status = 'pending'
        ORDER BY created_at DESC, id DESC OFFSET ${maxPending}) AS d)`.execute(this.#db.kysely);
  }
}
