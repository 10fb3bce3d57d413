import { eventSubscriptionView } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';
import { toEventSubscriptionView } from './event-subscription-view.ts';

export const getEventSubscription = defineRoute({
  method: 'get',
  path: '/event-subscriptions/:id',
  scope: 'execution:list',
  summary: 'Read an event subscription',
  responses: { 200: eventSubscriptionView },
  async handle({ params, caller, services }) {
    return { status: 200, body: toEventSubscriptionView(await services.eventSubscriptions.get(params.id, caller)) };
  },
});
