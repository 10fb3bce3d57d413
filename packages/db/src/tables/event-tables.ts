import type { DeliveryAttempt, DeliveryStatus, JsonObject, OutgoingEvent } from '@sluice/domain';
import type { Generated } from 'kysely';
import type { SealedColumns } from './credential-tables.ts';
import type { Json } from './workflow-tables.ts';

/** The sealed record contains the signing secrets. */
export interface EventSubscriptionTable extends SealedColumns {
  id: string;
  project_id: string;
  name: string;
  url: string;
  events: OutgoingEvent[];
  /** Seconds after which an execution that waits is reported (`execution.waiting`). */
  waiting_after_s: number;
  active: boolean;
  /** Why the service deactivated it; null if it did not. */
  disabled_reason: string | null;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

/**
 * An event for one subscription: outbox and delivery log. Written by triggers in the transaction of
 * the event. Its subscription may have been deleted.
 */
export interface EventDeliveryTable {
  /** `webhook-id` of the request: the same for every attempt. */
  id: Generated<string>;
  subscription_id: string;
  type: string;
  payload: Json<JsonObject>;
  /** Unique within the subscription: identifies a state that must be reported only once. */
  subject: string | null;
  status: Generated<DeliveryStatus>;
  attempts: Generated<number>;
  /** When the next attempt is due; during an attempt, when another worker may repeat it. */
  next_at: Generated<Date>;
  /** The attempts, oldest first. */
  log: Generated<DeliveryAttempt[]>;
  created_at: Generated<Date>;
}
