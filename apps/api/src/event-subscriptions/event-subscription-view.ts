import type { EventDeliveryView, EventSubscriptionView } from '@sluice/contract';
import type { EventDelivery, EventSubscription } from '@sluice/db';

export function toEventSubscriptionView({
  createdAtUs: _,
  createdAt,
  updatedAt,
  ...rest
}: EventSubscription): EventSubscriptionView {
  return { ...rest, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}

export function toEventDeliveryView({ createdAtUs: _, createdAt, nextAttemptAt, ...rest }: EventDelivery): EventDeliveryView {
  return { ...rest, createdAt: createdAt.toISOString(), nextAttemptAt: nextAttemptAt?.toISOString() ?? null };
}
