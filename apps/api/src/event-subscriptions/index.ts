import { createEventSubscription } from './create-event-subscription.ts';
import { deleteEventSubscription } from './delete-event-subscription.ts';
import { getEventSubscription } from './get-event-subscription.ts';
import { listEventDeliveries } from './list-event-deliveries.ts';
import { listEventSubscriptions } from './list-event-subscriptions.ts';
import { replayEventDelivery } from './replay-event-delivery.ts';
import { rotateEventSecret } from './rotate-event-secret.ts';
import { testEventSubscription } from './test-event-subscription.ts';
import { updateEventSubscription } from './update-event-subscription.ts';

export const eventSubscriptionRoutes = [
  listEventSubscriptions,
  createEventSubscription,
  getEventSubscription,
  updateEventSubscription,
  deleteEventSubscription,
  rotateEventSecret,
  testEventSubscription,
  listEventDeliveries,
  replayEventDelivery,
];
