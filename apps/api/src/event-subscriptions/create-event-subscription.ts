import { createEventSubscriptionBody, newEventSubscriptionView } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';
import { toEventSubscriptionView } from './event-subscription-view.ts';

export const createEventSubscription = defineRoute({
  method: 'post',
  path: '/event-subscriptions',
  scope: 'every scope',
  action: 'eventSubscription.create',
  summary: 'Send the events of a project to a URL',
  body: createEventSubscriptionBody,
  responses: { 201: newEventSubscriptionView },
  docs: { errors: ['NOT_FOUND'] },
  async handle({ body, caller, services }) {
    const { secret, ...made } = await services.eventSubscriptions.create(body, caller);
    return { status: 201, body: { ...toEventSubscriptionView(made), secret } };
  },
});
