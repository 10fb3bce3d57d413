import { type DeliveryAttempt, type DeliveryStatus, type JsonObject, NotFoundError, shownId, testEvent } from '@sluice/domain';
import { type Kysely, sql } from 'kysely';
import { microsecondsOf, type NewestFirst, newestFirst } from '../newest-first.ts';
import { inTransaction } from '../statements/in-transaction.ts';
import type { Tables } from '../tables/tables.ts';
import type { EventSubscription } from './event-subscription-repository.ts';

/** An event for one subscription. */
export interface EventDelivery {
  /** `webhook-id` of the request: the same for every attempt. */
  id: string;
  subscriptionId: string;
  type: string;
  payload: JsonObject;
  status: DeliveryStatus;
  /** When the next attempt is due; null if no further attempt is planned. */
  nextAttemptAt: Date | null;
  /** Oldest first. */
  attempts: DeliveryAttempt[];
  createdAt: Date;
  createdAtUs: string;
}

/**
 * A subscription's deliveries, as shown to users. The caller has checked the access to the
 * subscription.
 */
export class EventDeliveryRepository {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  async list(subscriptionId: string, status: DeliveryStatus | undefined, page: NewestFirst): Promise<EventDelivery[]> {
    const query = newestFirst(select(this.#db), 'd', page).where('d.subscription_id', '=', subscriptionId);
    return (status === undefined ? query : query.where('d.status', '=', status)).execute();
  }

  /** Adds a delivery of a test event; a worker sends it, even if the subscription is inactive. */
  async createTest({ id, projectId }: EventSubscription): Promise<EventDelivery> {
    return inTransaction(this.#db, async (tx) => {
      const payload = { type: testEvent, timestamp: new Date().toISOString(), data: { subscriptionId: id, projectId } };
      const inserted = await tx
        .insertInto('event_deliveries')
        .values({ subscription_id: id, type: testEvent, payload: JSON.stringify(payload) })
        .returning('id')
        .executeTakeFirstOrThrow();
      return select(tx).where('d.id', '=', inserted.id).executeTakeFirstOrThrow();
    });
  }

  /** Sends the delivery again, regardless of its status. Throws `NotFoundError`. */
  async replay(subscriptionId: string, id: string): Promise<EventDelivery> {
    return inTransaction(this.#db, async (tx) => {
      const replayed = await tx
        .updateTable('event_deliveries')
        .set({ status: 'pending', attempts: 0, next_at: sql`clock_timestamp()` })
        .where('id', '=', id)
        .where('subscription_id', '=', subscriptionId)
        .returning('id')
        .executeTakeFirst();
      if (!replayed) throw new NotFoundError(`delivery ${shownId(id)} does not exist`);
      return select(tx).where('d.id', '=', id).executeTakeFirstOrThrow();
    });
  }
}

function select(db: Kysely<Tables>) {
  return db
    .selectFrom('event_deliveries as d')
    .select(['d.id', 'd.subscription_id as subscriptionId', 'd.type', 'd.payload', 'd.status', 'd.log as attempts'])
    .select(sql<Date | null>`CASE WHEN d.status = 'pending' THEN d.next_at END`.as('nextAttemptAt'))
    .select(['d.created_at as createdAt', microsecondsOf('d.created_at').as('createdAtUs')]);
}
