import { eventDeliveryView } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';
import { toEventDeliveryView } from './event-subscription-view.ts';

export const replayEventDelivery = defineRoute({
  method: 'post',
  path: '/event-subscriptions/:id/deliveries/:deliveryId/replay',
  scope: 'every scope',
  action: 'eventSubscription.replay',
  summary: 'Send an event again',
  operationId: 'replayEventDelivery',
  responses: { 202: eventDeliveryView },
  async handle({ params, caller, services }) {
    return {
      status: 202,
      body: toEventDeliveryView(await services.eventSubscriptions.replay(params.id, params.deliveryId, caller)),
    };
  },
});
