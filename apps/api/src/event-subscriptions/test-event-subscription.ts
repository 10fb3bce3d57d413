import { eventDeliveryView } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';
import { toEventDeliveryView } from './event-subscription-view.ts';

export const testEventSubscription = defineRoute({
  method: 'post',
  path: '/event-subscriptions/:id/test',
  scope: 'every scope',
  action: 'eventSubscription.test',
  summary: 'Send a test event',
  operationId: 'testEventSubscription',
  responses: { 202: eventDeliveryView },
  async handle({ params, caller, services }) {
    return { status: 202, body: toEventDeliveryView(await services.eventSubscriptions.test(params.id, caller)) };
  },
});
