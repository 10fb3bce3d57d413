import { randomBytes } from 'node:crypto';
import type {
  CreateEventSubscriptionBody,
  ListEventDeliveriesQuery,
  ListEventSubscriptionsQuery,
  UpdateEventSubscriptionBody,
} from '@sluice/contract';
import type {
  EventDelivery,
  EventDeliveryRepository,
  EventSubscription,
  EventSubscriptionRepository,
  ProjectRepository,
} from '@sluice/db';
import {
  isAppError,
  type JsonObject,
  randomId,
  type SubscriptionSecrets,
  subscriptionSecretType as type,
  ValidationError,
} from '@sluice/domain';
import type { EgressGuard } from '@sluice/node-sdk';
import type { Vault } from '@sluice/vault';
import type { Caller } from '../auth/caller.ts';
import { type Page, pageByCreation } from '../paging/page.ts';

interface EventSubscriptionServiceOptions {
  eventSubscriptions: EventSubscriptionRepository;
  eventDeliveries: EventDeliveryRepository;
  projects: Pick<ProjectRepository, 'get'>;
  vault: Pick<Vault, 'seal' | 'open'>;
  guard: Pick<EgressGuard, 'check'>;
}

const defaultWaitingSeconds = 3_600;
/** Time for receivers to switch to a new secret. */
const overlapMs = 24 * 3_600_000;

/** Members of a project read its subscriptions; `project:admin` changes them. */
export class EventSubscriptionService {
  readonly #options: EventSubscriptionServiceOptions;

  constructor(options: EventSubscriptionServiceOptions) {
    this.#options = options;
  }

  list(query: ListEventSubscriptionsQuery, caller: Caller): Promise<Page<EventSubscription>> {
    const access = caller.access['project:viewer'];
    return pageByCreation('eventSubscriptions', query, (page) =>
      this.#options.eventSubscriptions.list(access, query.projectId, page),
    );
  }

  async get(id: string, caller: Caller): Promise<EventSubscription> {
    return this.#options.eventSubscriptions.get(id, caller.access['project:viewer']);
  }

  /** The only time that the secret can be read. */
  async create(body: CreateEventSubscriptionBody, caller: Caller): Promise<EventSubscription & { secret: string }> {
    const { eventSubscriptions, projects, vault } = this.#options;
    const { projectId = caller.personalProjectId, waitingAfterSeconds = defaultWaitingSeconds } = body;
    const access = caller.access['project:admin'];
    await projects.get(projectId, access);
    await this.#assertReachable(body.url);
    const [id, secret] = [randomId(), newSecret()];
    const sealed = vault.seal({ id, type }, { secret });
    const subscription = await eventSubscriptions.create({ ...body, id, projectId, waitingAfterSeconds, sealed }, access);
    return { ...subscription, secret };
  }

  async update(id: string, changes: UpdateEventSubscriptionBody, caller: Caller): Promise<EventSubscription> {
    await this.#assertMayChange(id, caller);
    if (changes.url !== undefined) await this.#assertReachable(changes.url);
    return this.#options.eventSubscriptions.update(id, caller.access['project:admin'], changes);
  }

  async delete(id: string, caller: Caller): Promise<EventSubscription> {
    await this.#assertMayChange(id, caller);
    return this.#options.eventSubscriptions.delete(id, caller.access['project:admin']);
  }

  /** Events are signed with both secrets for a day. */
  async rotateSecret(id: string, caller: Caller): Promise<EventSubscription & { secret: string }> {
    await this.#assertMayChange(id, caller);
    const { eventSubscriptions, vault } = this.#options;
    const secret = newSecret();
    const subject = { id, type };
    const rotated = await eventSubscriptions.replaceSecrets(id, caller.access['project:admin'], (sealed) => {
      const old = vault.open(subject, sealed) as unknown as SubscriptionSecrets;
      const until = new Date(Date.now() + overlapMs).toISOString();
      const secrets: SubscriptionSecrets = { secret, previous: { secret: old.secret, until } };
      return vault.seal(subject, secrets as unknown as JsonObject);
    });
    return { ...rotated, secret };
  }

  async test(id: string, caller: Caller): Promise<EventDelivery> {
    return this.#options.eventDeliveries.createTest(await this.#assertMayChange(id, caller));
  }

  async listDeliveries(id: string, query: ListEventDeliveriesQuery, caller: Caller): Promise<Page<EventDelivery>> {
    const { id: subscriptionId } = await this.get(id, caller);
    return pageByCreation('eventDeliveries', query, (page) =>
      this.#options.eventDeliveries.list(subscriptionId, query.status, page),
    );
  }

  async replay(id: string, deliveryId: string, caller: Caller): Promise<EventDelivery> {
    await this.#assertMayChange(id, caller);
    return this.#options.eventDeliveries.replay(id, deliveryId);
  }

  async #assertMayChange(id: string, caller: Caller): Promise<EventSubscription> {
    const subscription = await this.get(id, caller);
    await this.#options.projects.get(subscription.projectId, caller.access['project:admin']);
    return subscription;
  }

  /** A name that cannot be resolved now is accepted; each request is checked again. */
  async #assertReachable(url: string): Promise<void> {
    try {
      await this.#options.guard.check(url);
    } catch (error) {
      if (isAppError(error) && (error.code === 'HTTP_BLOCKED' || error.code === 'HTTP_INVALID_URL'))
        throw new ValidationError(error.message, '/url');
    }
  }
}

function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}
