import { newEventSubscriptionView } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';
import { toEventSubscriptionView } from './event-subscription-view.ts';

export const rotateEventSecret = defineRoute({
  method: 'post',
  path: '/event-subscriptions/:id/rotate-secret',
  scope: 'every scope',
  action: 'eventSubscription.rotateSecret',
  summary: 'Replace the secret; events are signed with both for a day',
  operationId: 'rotateEventSubscriptionSecret',
  responses: { 200: newEventSubscriptionView },
  async handle({ params, caller, services }) {
    const { secret, ...rotated } = await services.eventSubscriptions.rotateSecret(params.id, caller);
    return { status: 200, body: { ...toEventSubscriptionView(rotated), secret } };
  },
});
