import { eventSubscriptionView } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';
import { toEventSubscriptionView } from './event-subscription-view.ts';

export const deleteEventSubscription = defineRoute({
  method: 'delete',
  path: '/event-subscriptions/:id',
  scope: 'every scope',
  action: 'eventSubscription.delete',
  summary: 'Delete an event subscription and its deliveries',
  responses: { 200: eventSubscriptionView },
  async handle({ params, caller, services }) {
    return { status: 200, body: toEventSubscriptionView(await services.eventSubscriptions.delete(params.id, caller)) };
  },
});
