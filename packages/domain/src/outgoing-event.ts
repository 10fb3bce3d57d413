/**
 * Events that a project can subscribe to. Triggers of the database write them; workers write
 * `execution.waiting` (`EventOutboxRepository.noteWaiting`).
 */
export const outgoingEvents = [
  'execution.finished',
  'execution.failed',
  'execution.crashed',
  'execution.canceled',
  'execution.waiting',
  'workflow.created',
  'workflow.updated',
  'workflow.activated',
  'workflow.deactivated',
  'workflow.deleted',
] as const;
export type OutgoingEvent = (typeof outgoingEvents)[number];

/** Event of a delivery that a user requests to test the receiver. */
export const testEvent = 'test';

/**
 * `pending`: not accepted by the receiver yet, and will be retried. `failed`: no longer retried.
 */
export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** An attempt to deliver an event. */
export interface DeliveryAttempt {
  /** ISO 8601. */
  at: string;
  durationMs: number;
  /** Status of the receiver's response; null if there was no response. */
  status: number | null;
  /** Why the attempt failed; null if it succeeded. */
  error: string | null;
}

const [second, minute, hour] = [1_000, 60_000, 3_600_000];

/**
 * Pauses between attempts in milliseconds, as Standard Webhooks recommends: three days in total.
 */
export const deliveryPausesMs: readonly number[] = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

/**
 * The vault seals secrets of subscriptions under this type, as it seals credentials under theirs.
 */
export const subscriptionSecretType = 'eventSubscription';

/** Secrets that sign a subscription's events, in the format of Standard Webhooks (`whsec_…`). */
export interface SubscriptionSecrets {
  secret: string;
  /** Also signs until `until` (ISO 8601), so that receivers can switch to the new secret. */
  previous?: { secret: string; until: string };
}
