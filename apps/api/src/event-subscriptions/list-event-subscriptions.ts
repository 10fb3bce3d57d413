import { eventSubscriptionPage, listEventSubscriptionsQuery } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';
import { toEventSubscriptionView } from './event-subscription-view.ts';

export const listEventSubscriptions = defineRoute({
  method: 'get',
  path: '/event-subscriptions',
  scope: 'execution:list',
  summary: 'List event subscriptions, newest first',
  query: listEventSubscriptionsQuery,
  responses: { 200: eventSubscriptionPage },
  async handle({ query, caller, services }) {
    const { entries, nextCursor } = await services.eventSubscriptions.list(query, caller);
    return { status: 200, body: { data: entries.map(toEventSubscriptionView), nextCursor } };
  },
});
