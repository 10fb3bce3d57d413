import { eventDeliveryPage, listEventDeliveriesQuery } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';
import { toEventDeliveryView } from './event-subscription-view.ts';

export const listEventDeliveries = defineRoute({
  method: 'get',
  path: '/event-subscriptions/:id/deliveries',
  scope: 'execution:list',
  summary: 'List the deliveries of the last week, newest first',
  operationId: 'listEventDeliveries',
  query: listEventDeliveriesQuery,
  responses: { 200: eventDeliveryPage },
  async handle({ params, query, caller, services }) {
    const { entries, nextCursor } = await services.eventSubscriptions.listDeliveries(params.id, query, caller);
    return { status: 200, body: { data: entries.map(toEventDeliveryView), nextCursor } };
  },
});
