import { eventSubscriptionView, updateEventSubscriptionBody } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';
import { toEventSubscriptionView } from './event-subscription-view.ts';

export const updateEventSubscription = defineRoute({
  method: 'patch',
  path: '/event-subscriptions/:id',
  scope: 'every scope',
  action: 'eventSubscription.update',
  summary: 'Change an event subscription',
  body: updateEventSubscriptionBody,
  responses: { 200: eventSubscriptionView },
  async handle({ params, body, caller, services }) {
    return { status: 200, body: toEventSubscriptionView(await services.eventSubscriptions.update(params.id, body, caller)) };
  },
});
