import { ConflictError, ForbiddenError, NotFoundError, type OutgoingEvent, shownId } from '@sluice/domain';
import { type Kysely, sql } from 'kysely';
import { type Access, isAccessible } from '../access.ts';
import { type SealedData, sealedColumns, toSealedColumns, toSealedData } from '../credentials/sealed-data.ts';
import { microsecondsOf, type NewestFirst, newestFirst } from '../newest-first.ts';
import { inTransaction } from '../statements/in-transaction.ts';
import { touched } from '../statements/touched.ts';
import type { Tables } from '../tables/tables.ts';

/** A project's subscription to events, without its secrets. */
export interface EventSubscription {
  id: string;
  projectId: string;
  name: string;
  url: string;
  events: OutgoingEvent[];
  /** Seconds after which an execution that waits is reported. */
  waitingAfterSeconds: number;
  active: boolean;
  /** Why the service deactivated it; null if it did not. */
  disabledReason: string | null;
  createdAt: Date;
  updatedAt: Date;
  createdAtUs: string;
}

type NewEventSubscription = Pick<
  EventSubscription,
  'id' | 'projectId' | 'name' | 'url' | 'events' | 'waitingAfterSeconds' | 'active'
> & { sealed: SealedData };

/** Absent: unchanged. */
export type EventSubscriptionChange = Partial<
  Pick<EventSubscription, 'name' | 'url' | 'events' | 'waitingAfterSeconds' | 'active'>
>;

/** Limits the deliveries that one event of a project causes. */
const maxPerProject = 20;

/** Subscriptions of projects to events. Every call takes the caller's `Access`. */
export class EventSubscriptionRepository {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  async list(access: Access, projectId: string | undefined, page: NewestFirst): Promise<EventSubscription[]> {
    const query = newestFirst(select(this.#db), 's', page).where(isAccessible(access, 's.project_id'));
    return (projectId === undefined ? query : query.where('s.project_id', '=', projectId)).execute();
  }

  /** Throws `NotFoundError`, or `ForbiddenError` for a subscription outside `access`. */
  async get(id: string, access: Access): Promise<EventSubscription> {
    const subscription = await select(this.#db).where('s.id', '=', id).executeTakeFirst();
    if (!subscription) throw new NotFoundError(`event subscription ${shownId(id)} does not exist`);
    if (!access.includes(subscription.projectId)) throw new ForbiddenError('you have no access to this event subscription');
    return subscription;
  }

  /**
   * The caller has checked the access to the project. Throws `ConflictError` if the project has too
   * many.
   */
  async create(
    { id, projectId, name, url, events, active = true, waitingAfterSeconds, sealed }: NewEventSubscription,
    access: Access,
  ): Promise<EventSubscription> {
    return inTransaction(this.#db, async (tx) => {
      await tx.selectFrom('projects').select('id').where('id', '=', projectId).forUpdate().execute();
      const { count } = await tx
        .selectFrom('event_subscriptions')
        .select(sql<number>`count(*)::int`.as('count'))
        .where('project_id', '=', projectId)
        .executeTakeFirstOrThrow();
      if (count >= maxPerProject) throw new ConflictError(`a project has at most ${maxPerProject} event subscriptions`);
      const row = {
        id,
        name,
        url,
        events,
        active,
        project_id: projectId,
        waiting_after_s: waitingAfterSeconds,
        ...toSealedColumns(sealed),
      };
      await tx.insertInto('event_subscriptions').values(row).execute();
      return new EventSubscriptionRepository(tx).get(id, access);
    });
  }

  /** Throws `NotFoundError`. */
  async update(
    id: string,
    access: Access,
    { name, url, events, active, waitingAfterSeconds }: EventSubscriptionChange,
  ): Promise<EventSubscription> {
    return inTransaction(this.#db, async (tx) => {
      const repository = new EventSubscriptionRepository(tx);
      await repository.get(id, access);
      const changes = {
        ...(name !== undefined && { name }),
        ...(url !== undefined && { url }),
        ...(events !== undefined && { events }),
        ...(active !== undefined && { active, disabled_reason: null }),
        ...(waitingAfterSeconds !== undefined && { waiting_after_s: waitingAfterSeconds }),
      };
      await tx
        .updateTable('event_subscriptions')
        .set({ ...changes, updated_at: touched })
        .where('id', '=', id)
        .execute();
      return repository.get(id, access);
    });
  }

  /** Replaces the secrets with the result of `renew`, under a lock. Throws `NotFoundError`. */
  async replaceSecrets(id: string, access: Access, renew: (sealed: SealedData) => SealedData): Promise<EventSubscription> {
    return inTransaction(this.#db, async (tx) => {
      const repository = new EventSubscriptionRepository(tx);
      await repository.get(id, access);
      const sealed = await tx
        .selectFrom('event_subscriptions')
        .select(sealedColumns)
        .where('id', '=', id)
        .forUpdate()
        .executeTakeFirstOrThrow();
      const renewed = toSealedColumns(renew(toSealedData(sealed)));
      await tx
        .updateTable('event_subscriptions')
        .set({ ...renewed, updated_at: touched })
        .where('id', '=', id)
        .execute();
      return repository.get(id, access);
    });
  }

  /** With its deliveries. Throws `NotFoundError`. */
  async delete(id: string, access: Access): Promise<EventSubscription> {
    return inTransaction(this.#db, async (tx) => {
      const subscription = await new EventSubscriptionRepository(tx).get(id, access);
      await tx.deleteFrom('event_subscriptions').where('id', '=', id).execute();
      await tx.deleteFrom('event_deliveries').where('subscription_id', '=', id).execute();
      return subscription;
    });
  }
}

function select(db: Kysely<Tables>) {
  return db
    .selectFrom('event_subscriptions as s')
    .select(['s.id', 's.project_id as projectId', 's.name', 's.url', 's.events', 's.waiting_after_s as waitingAfterSeconds'])
    .select(['s.active', 's.disabled_reason as disabledReason', 's.created_at as createdAt', 's.updated_at as updatedAt'])
    .select(microsecondsOf('s.created_at').as('createdAtUs'));
}
