import type { DeliveryOutcome, DueDelivery, EventOutboxRepository } from '@sluice/db';
import {
  type DeliveryAttempt,
  deliveryPausesMs,
  errorMessage,
  type SubscriptionSecrets,
  subscriptionSecretType,
} from '@sluice/domain';
import type { Logger } from '@sluice/logger';
import type { HttpClient } from '@sluice/node-sdk';
import type { Vault } from '@sluice/vault';
import { Webhook } from 'standardwebhooks';
import { PeriodicService, type Rounds } from '../periodic-service.ts';

interface EventSenderOptions {
  eventOutbox: Pick<EventOutboxRepository, 'take' | 'settle' | 'noteWaiting' | 'failExcess'>;
  vault: Pick<Vault, 'open'>;
  /**
   * The guarded client: subscriptions cannot reach the service's own endpoints or blocked
   * addresses.
   */
  http: Pick<HttpClient, 'stream'>;
  logger: Logger;
}

/** Attempts have their own timeout. */
const neverAborted = new AbortController().signal;
const checkEveryMs = 1_000;
/** A receiver that takes longer should respond first and work later. */
const timeoutMs = 15_000;
/** Interval of checks for executions that wait too long and for excess deliveries. */
const upkeepMs = 15_000;
const maxErrorLength = 500;
const maxInFlight = 100;

/**
 * Sends events to their subscribers, at least once each and in no particular order. Runs in all
 * workers concurrently: one worker makes each attempt, and another repeats it if that worker dies.
 */
export class EventSender extends PeriodicService<EventSenderOptions> {
  /** Attempts with their subscriptions. */
  readonly #inFlight = new Map<Promise<void>, string>();
  #upkeepAt = Number.NEGATIVE_INFINITY;

  protected get rounds(): Rounds {
    return { pauseMs: checkEveryMs, failure: 'events not sent' };
  }

  async round(): Promise<void> {
    await this.#upkeep();
    while (!this.stopping.aborted && this.#inFlight.size < maxInFlight) {
      const busy = new Set([...this.#inFlight.values()]);
      const due = await this.options.eventOutbox.take([...busy]);
      if (due.length === 0) return;
      for (const delivery of due) this.#begin(delivery);
    }
  }

  /** Resolves when the attempts in flight have ended. */
  override async stop(): Promise<void> {
    await super.stop();
    await Promise.all(this.#inFlight.keys());
  }

  /** A subscription has at most one attempt in flight, so a slow receiver delays nothing else. */
  #begin(delivery: DueDelivery): void {
    const attempt: Promise<void> = this.#attempt(delivery)
      .catch((error: unknown) => this.options.logger.warn({ error: errorMessage(error) }, 'an attempt could not be recorded'))
      .then(() => {
        this.#inFlight.delete(attempt);
        this.hasten?.(0);
      });
    this.#inFlight.set(attempt, delivery.subscriptionId);
  }

  async #upkeep(): Promise<void> {
    if (performance.now() - this.#upkeepAt < upkeepMs) return;
    this.#upkeepAt = performance.now();
    await this.options.eventOutbox.noteWaiting();
    await this.options.eventOutbox.failExcess();
  }

  async #attempt(delivery: DueDelivery): Promise<void> {
    const { eventOutbox, logger } = this.options;
    const { attempt: result, retryAfter } = await this.#send(delivery);
    const outcome = nextAttempt(result, delivery.attempt, { retryAfter });
    await eventOutbox.settle(delivery, result, outcome);
    const { id: deliveryId, subscriptionId, attempt } = delivery;
    const fields = { deliveryId, subscriptionId, attempt, status: result.status, durationMs: result.durationMs };
    if (result.error === null) logger.debug(fields, 'event delivered');
    else logger.warn({ ...fields, error: result.error, next: outcome.status }, 'event not delivered');
  }

  async #send(delivery: DueDelivery): Promise<{ attempt: DeliveryAttempt; retryAfter?: string | undefined }> {
    const at = new Date();
    const beganAt = performance.now();
    const attemptOf = (status: number | null, error: string | null): DeliveryAttempt => ({
      at: at.toISOString(),
      durationMs: Math.round(performance.now() - beganAt),
      status,
      error: error === null ? null : error.slice(0, maxErrorLength).replaceAll('\u0000', '').toWellFormed(),
    });
    try {
      const { status, headers } = await this.#post(delivery, at);
      const retryAfter = headers['retry-after'];
      const isAccepted = status >= 200 && status < 300;
      return {
        attempt: attemptOf(status, isAccepted ? null : `the receiver responded ${status}`),
        retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined,
      };
    } catch (error) {
      return { attempt: attemptOf(null, errorMessage(error)) };
    }
  }

  #post({ id, subscriptionId, url, payload, sealed }: DueDelivery, at: Date) {
    const { vault, http } = this.options;
    const secrets = vault.open({ id: subscriptionId, type: subscriptionSecretType }, sealed) as unknown as SubscriptionSecrets;
    const body = JSON.stringify(payload);
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Sluice-Webhooks/1',
      ...signedHeaders({ id, body, at }, secrets),
    };
    return http.stream({ method: 'POST', url, headers, body, timeoutMs }, neverAborted, async ({ status, headers }) => ({
      status,
      headers,
    }));
  }
}

/** Maximum pause that a receiver can request with `Retry-After`, in milliseconds. */
const longestAskedMs = 3_600_000;

/**
 * Outcome of an attempt. A 2xx ends the delivery, and a 410 ends the subscription. Otherwise
 * another attempt follows after the schedule's next pause, varied by a tenth, until the schedule is
 * exhausted.
 *
 * @param attempt 1 for the first.
 * @param retryAfter the header of the response, in seconds; a date is ignored.
 */
export function nextAttempt(
  { status }: Pick<DeliveryAttempt, 'status'>,
  attempt: number,
  { retryAfter, random = Math.random }: { retryAfter?: string | undefined; random?: () => number } = {},
): DeliveryOutcome {
  if (status !== null && status >= 200 && status < 300) return { status: 'delivered' };
  if (status === 410) return { status: 'failed', disable: 'the receiver responded 410 Gone' };
  const pauseMs = deliveryPausesMs[attempt - 1];
  if (pauseMs === undefined) return { status: 'failed' };
  const askedMs = Math.min(longestAskedMs, (Number(retryAfter) || 0) * 1_000);
  return { status: 'pending', pauseMs: Math.round(Math.max(askedMs, pauseMs * (0.9 + 0.2 * random()))) };
}

/**
 * Headers of Standard Webhooks. While a secret is being replaced, the signature header has a
 * signature by each secret.
 */
export function signedHeaders(
  { id, body, at }: { id: string; body: string; at: Date },
  { secret, previous }: SubscriptionSecrets,
): Record<string, string> {
  const secrets = [secret, ...(previous && new Date(previous.until) > at ? [previous.secret] : [])];
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': secrets.map((each) => new Webhook(each).sign(id, at, body)).join(' '),
  };
}
